/** Light door for the hook's static part: our own blocks and tags, without the tables of threats and secrets. */
export { FENCE_TAGS } from './fence.ts'
export { isOwnBlock } from './own-blocks.ts'
