/** A kernel that is run without the program's main: which, how, and with what. */
export interface KernelRequest {
  /** As in the source, with template arguments where there are several: `scale`, `scale<float>`. */
  readonly name: string;
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly sharedBytes: number;
  /** By the parameter's name: a number, or `iota:1024:float`, `zeros:COUNT:TYPE`, `ones:…`, `random:…`, `values:1,2,3:TYPE`. */
  readonly args: Readonly<Record<string, string>>;
  /** Buffers to print when the kernel has ended, and how many elements of each at most. */
  readonly print: readonly { readonly name: string; readonly most: number }[];
}

/** Elements of a buffer that are printed unless told otherwise. */
export const PRINTED_ELEMENTS = 64;
