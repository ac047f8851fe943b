/** Running one kernel by itself: what the editor asks of the server to write a harness, a program around it. */
import type { CallableOutline } from './finding.ts';

/** How files of harnesses end. */
export type HarnessSuffix = '.harness.cu';

/** The request `lanewise/kernels`, with DeviceParams: what of a file can be run by itself. */
export interface RunnableKernel extends CallableOutline {
  readonly templates: readonly { readonly name: string; readonly kind: 'type' | 'value' }[];
  /** As in the file's first launch of it, if it has one with numbers alone: `4, 256`. */
  readonly launch?: string;
  /** Functions of the host that take the same parameters. */
  readonly references: readonly string[];
  /** Absolute path of its harness, whether or not there is one yet. */
  readonly harness: string;
}

/** Parameters of the request `lanewise/harness`, which gives a HarnessText. */
export interface HarnessParams {
  readonly uri: string;
  readonly kernel: string;
  /** `4, 256` or `dim3(4, 2), dim3(16, 16), 1024`: what stands between `<<<` and `>>>`. */
  readonly launch: string;
  /** `in=iota:1024, out=zeros:1024, n=1024, T=float`. */
  readonly args: string;
  /** A function of the host that does the same. */
  readonly reference?: string;
}

export type HarnessText = { readonly path: string; readonly text: string } | { readonly problem: string };
