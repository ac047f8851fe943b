/** What the model says of a file as a whole, and of its host code. */
import type { DeviceProfile } from '../../devices/profile.ts';
import type { Place } from '../syntax/source.ts';
import type { HostArgument, KernelFacts, LaunchFacts } from './facts.ts';

export interface FileFacts {
  readonly text: string;
  /** All kernels defined in the file. */
  readonly kernels: readonly KernelFacts[];
  /** All launches in the file, those in device code included; of kernels defined elsewhere too. */
  readonly launches: readonly LaunchFacts[];
  /** Host functions in file order, each with its CUDA calls. */
  readonly hostFunctions: readonly HostFunctionFacts[];
  /** From the setting `device`. */
  readonly device: DeviceProfile;
  /** For example 12.8. */
  readonly cudaVersion: number;
  /** Whether it stands in the text that findings are for: this file, or the header that is looked at with a program that includes it. */
  isJudged(place: Place): boolean;
  /** Where the file's own text has these names, in parts that are compiled, and where the program defines none of its own so. Asked with one and the same set, an item is looked at once. */
  identifiers(names: ReadonlySet<string>): readonly IdentifierFacts[];
}

export interface IdentifierFacts {
  readonly name: string;
  readonly place: Place;
  /** For a call: the place behind its `(`. */
  readonly argumentsAt?: Place;
  /** After `.` or `->`. */
  readonly member: boolean;
  /** For a member: the variable whose member it is, also as an element: `p` of `p->x`, `p[i].x`. */
  readonly owner?: string;
  /** Names that a declaration beginning with this one declares. */
  readonly declares: readonly string[];
  readonly inDeviceCode: boolean;
  /** Comes out of a macro: do not edit. */
  readonly expanded: boolean;
}

export interface HostFunctionFacts {
  readonly name: string;
  readonly place: Place;
  readonly namePlace: Place;
  /** Calls of CUDA, MPI and OpenMP functions, pragmas included, and launches, in program order. */
  readonly calls: readonly HostCallFacts[];
  readonly launches: readonly LaunchFacts[];
  /** Calls and keeps nothing as it is compiled: what is left of a check that looks at errors only where somebody debugs. */
  readonly isIdle: boolean;
  readonly dereferences: readonly HostDereferenceFacts[];
  /** Accesses to managed or pinned memory that a kernel or a copy may still be using. */
  readonly earlyAccesses: readonly EarlyAccessFacts[];
  /** What two streams use with nothing that orders them. */
  readonly streamPairs: readonly StreamPairFacts[];
  /** Device memory that each iteration of a loop allocates anew and none frees. */
  readonly leaks: readonly LeakFacts[];
  /** What kernels write, and the host reads without having copied it. */
  readonly uncopied: readonly UncopiedFacts[];
  /** Device memory that is given to a kernel before anything has given it a value. */
  readonly unset: readonly UnsetFacts[];
  /** Field writes: `attribute.accessPolicyWindow.hitRatio = 1.0f`. */
  readonly fieldWrites: readonly HostFieldWrite[];
}

export interface UncopiedFacts {
  readonly device: string;
  readonly host: string;
  /** The call that is missing. */
  readonly copy: string;
  /** Launches that are given the device memory. */
  readonly launches: readonly { readonly launch: LaunchFacts; readonly argument: number }[];
  /** The host memory went to the device; otherwise nothing has written it. */
  readonly isInput: boolean;
  readonly read: Place;
  /** Where the copy can stand. */
  readonly behind?: Place;
}

export interface UnsetFacts {
  readonly device: string;
  /** The call that would give it one. */
  readonly fill: string;
  /** Launches that are given the memory, the first of them first. */
  readonly launches: readonly { readonly launch: LaunchFacts; readonly argument: number }[];
  /** The first launch starts a statement that others can stand in front of. */
  readonly isStatement: boolean;
}

export interface LeakFacts {
  readonly variable: string;
  readonly place: Place;
  readonly bytes?: number;
  /** In front of the brace that closes the loop. */
  readonly bodyEnd: Place;
}

export interface HostCallFacts {
  readonly name: string;
  readonly place: Place;
  readonly namePlace: Place;
  readonly args: readonly HostArgument[];
  readonly order: number;
  readonly loops: readonly Place[];
  /** The result is assigned, compared, returned or passed to something (a checking macro or function). */
  readonly resultUsed: boolean;
  /** A launch rather than a call, with its facts. */
  readonly launch?: LaunchFacts;
}

/** The host reads or writes through a pointer to device memory. */
export interface HostDereferenceFacts {
  /** As written: `v`, `list->items`. */
  readonly pointer: string;
  readonly place: Place;
}

export interface EarlyAccessFacts {
  /** As written: `v`, `list->items`. */
  readonly pointer: string;
  readonly place: Place;
  /** The `__managed__` variable that it is, which the kernel need not use, and whether the host writes it. */
  readonly variable?: { readonly id: string; readonly isWritten: boolean };
  /** The kernel, or the function that copies, and its call. */
  readonly user: string;
  readonly userPlace: Place;
  /** The statement before which one could wait, where that is done once. */
  readonly statementPlace?: Place;
}

export interface StreamPairFacts {
  /** The memory's name. */
  readonly memory: string;
  readonly earlier: StreamUseFacts;
  readonly later: StreamUseFacts;
}

export interface StreamUseFacts {
  readonly name: string;
  readonly place: Place;
  /** As written. */
  readonly stream: string;
  /** What a launch does with its argument is for its kernel to say. */
  readonly does: 'read' | 'write' | { readonly launch: LaunchFacts; readonly argument: number };
  /** Starts a statement that others can stand in front of. */
  readonly isStatement: boolean;
}

export interface HostFieldWrite {
  readonly path: string;
  readonly place: Place;
  readonly value: HostArgument;
  readonly order: number;
}
