/** What Clang's process is asked and answers. Plain data: it crosses processes. */
import type { Side } from './flags.ts';
import type { Lookup } from './lookups.ts';
import type { CompletionPoint } from './own-names.ts';
import type { Readable, UnsavedTexts } from './readable-files.ts';
import type { PackedBytes } from './sparse-bytes.ts';
import type { SyntaxTree } from './syntax-tree.ts';

/** Virtual path and content. */
export type ToolFile = readonly [string, Uint8Array];

export interface ToolRun {
  readonly args: readonly string[];
  /** Files in memory. */
  readonly files: readonly ToolFile[];
  /** What it may read of the disk: nothing unless given. */
  readonly readable?: Readable;
  /** Larger files are not there: the default of the limit unless given. */
  readonly sourceMiB?: number;
  readonly unsaved?: UnsavedTexts;
  /** Makes this side's precompiled header another of them, under its path. */
  readonly precompiledHeader?: Side;
  /** Virtual path of the file to hand back. */
  readonly output: string;
  /** What completes a name here leaves out those of the precompiled header, if it can. */
  readonly ownNamesAt?: CompletionPoint;
  /** Virtual path of a file: what is said is Clang's tree, of which this file's part is handed back instead. */
  readonly treeOf?: string;
  /** It is ended when it has worked for so long: in processor time, so that a busy machine refuses no program. */
  readonly limitSeconds?: number;
}

export interface ToolResult {
  readonly exit: number;
  readonly errorText: string;
  /** Of `treeOf`. */
  readonly tree?: SyntaxTree;
  readonly output?: Uint8Array;
  /** The tool itself failed: an abort or a trap, not an error in the program. */
  readonly crash?: string;
  /** The user's program asks for more than there is. */
  readonly overLimit?: 'time' | 'memory' | 'output' | 'nesting';
  /** What it looked for on the user's disk. */
  readonly lookups: readonly Lookup[];
  /** It asked for the time, as `__DATE__` and `__TIME__` do: the same run may end otherwise a second later. */
  readonly askedTime: boolean;
  /** How long it has worked, as for the limit; undefined if it did not come to that. */
  readonly workedSeconds?: number;
}

/** How files cross threads and processes. */
export type PackedFile = readonly [string, PackedBytes];
export type PackedRun = Omit<ToolRun, 'files'> & { readonly files: readonly PackedFile[] };
export type PackedResult = Omit<ToolResult, 'output'> & { readonly output?: PackedBytes };

export type ToolRequest =
  | { readonly kind: 'run'; readonly id: number; readonly run: PackedRun }
  | { readonly kind: 'cancel'; readonly id: number };

export interface ToolResponse {
  readonly id: number;
  readonly result: PackedResult;
}
