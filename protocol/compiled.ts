/** What the compiled device code says of a file's kernels, for the findings to be right about what the text does not show. */

/** A kernel as the file launches it: what the text knows of it. */
export interface KernelShape {
  /** Names the kernel's variant in the file; given back with what was found. */
  readonly id: string;
  /** Without namespaces. */
  readonly kernel: string;
  readonly templateArgs: readonly string[];
  readonly block: readonly [x: number, y: number, z: number];
  /** Where the block is assumed: others that it might be. What is not the same for all of them is not known. */
  readonly otherBlocks?: readonly (readonly [x: number, y: number, z: number])[];
  /** undefined along an axis: not known. */
  readonly grid: readonly [x: number | undefined, y: number | undefined, z: number | undefined];
  /** By parameter. Pointers that are the start of an allocation are aligned to it. */
  readonly args: readonly (ShapeArgument | undefined)[];
  readonly sharedBytes?: number;
  /** What is known besides if nobody gives the program arguments. */
  readonly withoutArguments?: Pick<KernelShape, 'grid' | 'args'>;
}

export type ShapeArgument = { readonly value: number } | { readonly align: number };

/** Variants that the compiler did not have (a template that nothing instantiates) are missing. */
export interface CompiledKernel {
  readonly id: string;
  readonly sites: readonly CompiledSite[];
  /** Of these the compiler has moved some, and lost their lines: a line without any may have had one. */
  readonly unplaced?: readonly CompiledSite['kind'][];
}

/** What hardware has, too: accesses that are merged are one, and branches that are predicated none. */
export interface CompiledSite {
  /**
   * `slowPath`: a division, a root or a function with branches inside, which zeros, NaN, tiny and very large numbers take. `division`: of
   * integers, by a value.
   */
  readonly kind: 'load' | 'store' | 'atomic' | 'branch' | 'slowPath' | 'division';
  /** In the file itself, not in a header. Both from 1. */
  readonly line: number;
  readonly column: number;
  /** Lines of the file from which the code was inlined here, the instruction's own among them. */
  readonly lines: readonly number[];
  /** Of a branch: one way leads out of a loop. */
  readonly endsLoop: boolean;
  /** The instruction is of another file, from which it was inlined here. */
  readonly isOfHeader: boolean;
  /**
   * Of a branch, how lanes part: `sure`: they do in some execution; `data`: each decides by a value of its own that is not known before;
   * `rarely`: the same where it is not known that the branch is executed. Of a slow path, `data`: some lanes surely take it, and of the
   * others it is not known. `edge`: in the one warp that holds the end of the data, wherever that is. Of an access without `means`: `data`
   * and `rarely` where loaded data says where each lane goes.
   */
  readonly parts?: 'sure' | 'data' | 'rarely' | 'edge';
  /** Of an access: what each lane moves. */
  readonly bytes?: number;
  /** Of an access whose lanes are a vector's bytes apart: so many, all of which the lane moves, with this and others like it. */
  readonly pieceOf?: number;
  /** Of an access: the lanes that take part are side by side, but for those between them that do not. */
  readonly isSparse?: true;
  /** Each execution in the mean; undefined where it hangs on data or on what the text does not say. */
  readonly means?: CompiledMeans;
  /** Of an access, without `means`: no execution wastes less of its sectors, but for lanes that do not take part where there is `most`. */
  readonly least?: CompiledMeans;
  /** With `least`, where nobody knows which lanes take part: what all of them would move, in the execution with the most sectors. */
  readonly most?: CompiledMeans;
  /** With `most`: what says which lanes take part, data or the end of a row. */
  readonly chosenBy?: 'data' | 'edge';
  /** Of an access, without `means`: the mean of the blocks that were looked at. */
  readonly rough?: CompiledMeans;
  /** No warp that was looked at comes there. */
  readonly unreached?: true;
  /** `means`, `parts`, `least`, `most` and `rough` hold where nobody gives the program arguments. */
  readonly withoutArguments?: true;
  /** Of all warps of the launch, in a measure that the kernel's sites share; missing where it is not known how often, or hangs on an assumed block. */
  readonly executions?: number;
}

/** Of one warp's execution. Zero where the instruction does nothing of the kind. */
export interface CompiledMeans {
  readonly sectors: number;
  readonly idealSectors: number;
  readonly wavefronts: number;
  readonly idealWavefronts: number;
  /** Lanes that take turns at the busiest address of an atomic in global memory. */
  readonly turns: number;
  /** Share of executions in which lanes part, and the lanes on the smaller side when they do. */
  readonly divergent: number;
  readonly smallerSide: number;
}
