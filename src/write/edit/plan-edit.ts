import type { Edit } from '../../domain/index.ts'
import { planAdd } from './add.ts'
import { planMoveTo } from './move-to.ts'
import { planRemove } from './remove.ts'
import { planReplace } from './replace.ts'
import type { Outcome, Stage } from './stage.ts'

/** One edit, drafted on the layers as the edits before left them. Nothing is written to disk. */
export function planEdit(stage: Stage, edit: Edit): Promise<Outcome> {
  switch (edit.action) {
    case 'add':
      return planAdd(stage, edit)
    case 'replace':
      return planReplace(stage, edit)
    case 'remove':
      return planRemove(stage, edit)
    case 'move':
      return planMoveTo(stage, edit)
  }
}
