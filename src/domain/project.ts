/** A project is a canonical git repository, or a folder outside git (spec S6). */

export interface ProjectRoot {
  /** Real path of the git common directory, or of the folder itself outside git. */
  readonly path: string
  readonly kind: 'git' | 'folder'
}

/** What `projects/<folder>/project.json` holds. Written by commands and the worker, never by a hook. */
export interface Project {
  /** Folder name under `projects/`: slug + `-` + 8 characters, given once, never computed again. */
  readonly folder: string
  /** Human name: last path segment of the first root. */
  readonly name: string
  readonly roots: readonly ProjectRoot[]
  /** Normalised remote addresses (`host/path`, no credentials, no `.git`). */
  readonly remotes: readonly string[]
  /** Oldest root commit of the repository, null when unknown (no commits, shallow clone, not git). */
  readonly rootCommit: string | null
  /** UTC ISO 8601. */
  readonly created: string
}

/** Answer of the one resolver that reads and writes share. */
export type ProjectResolution =
  /** The home directory, a file-system root or the temporary directory outside git: writes go to global. */
  | { readonly kind: 'none'; readonly reason: string }
  /** A place that has no memory yet; `register` gives it a folder at the first write. */
  | { readonly kind: 'new'; readonly root: ProjectRoot; readonly workingTree: string; readonly notice: string | null }
  | {
      readonly kind: 'known'
      readonly project: Project
      readonly root: ProjectRoot
      /** Top of the working tree that contains the cwd (a worktree has its own), or the folder. */
      readonly workingTree: string
      /** Said once to the user: joined by remote, or an old store exists at this path. */
      readonly notice: string | null
    }
