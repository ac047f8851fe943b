/**
 * The state of the CUDA runtime in one program: its last error, device printf that waits for a synchronisation, and where pointers lead.
 * Work runs when it is submitted, in order, which every stream's rules allow; what a program may observe only after a synchronisation
 * (output of device printf, the error of a fault) is held back until one. When it would have run on a GPU, the clock says.
 */
import type { DeviceProfile } from '../../devices/profile.ts';
import type { BufferReport } from '../../protocol/report.ts';
import type { Location } from '../ir/types.ts';
import type { DeviceMemory } from '../machine/device-memory.ts';
import type { Fault, FaultKind } from '../machine/launch.ts';
import type { Tasks } from '../sanitizer/tasks.ts';
import type { End } from './clock/copies.ts';
import type { ProgramClock } from './clock/program-clock.ts';
import { CUDA, errorName, errorText } from './cuda-errors.ts';
import type { HostMemory } from './host-memory.ts';
import { PrintfFifo } from './printf-fifo.ts';
import { hostAddress, type Mirror, UnifiedMemory } from './unified-memory.ts';
import type { WindowUse } from './window/window.ts';

/**
 * Functions of the CUDA runtime by name, as the host program imports them. Integers arrive unsigned; 64-bit ones as signed numbers, so that a
 * size beyond 2^63 is negative.
 */
export type Functions = Record<string, (...args: number[]) => number | undefined>;

export interface ContextOptions {
  readonly host: HostMemory;
  readonly memory: DeviceMemory;
  /** By their numbers. */
  readonly devices: readonly DeviceProfile[];
  readonly clock: ProgramClock;
  /** Writes what device printf printed to the program's standard output, in order with the host's own. */
  printed(bytes: Uint8Array): void;
  /** Whom to tell in which order work comes and what it touches. */
  readonly tasks?: Tasks;
  /** Somebody has asked for all that the sanitizer can find. */
  readonly isSanitized?: boolean;
  /** Where in the program's text the host is. */
  readonly hostPlace?: () => Location | undefined;
  readonly hostTrace?: () => (() => Location | undefined) | undefined;
  /** Ends the program by its C library's `exit`. */
  readonly exitHost?: (status: number) => void;
  /** Tells of an assertion on the program's standard error. */
  asserted(fault: Fault): void;
}

/** Where a range of addresses lies: the bytes themselves, and whose memory it is. */
export interface Place {
  readonly side: 'host' | 'device' | 'both';
  readonly bytes: Uint8Array;
  /** How a copy finds it. */
  readonly end: End;
}

/** What the runtime keeps of one device. */
export interface DeviceState {
  readonly index: number;
  readonly profile: DeviceProfile;
  /** A fault destroyed its context: every further call fails with this. */
  corrupted: number;
  /** The same, before the program can know it. */
  pendingError: number;
  /** Devices whose memory its kernels may use. */
  readonly peers: Set<number>;
}

/** CUDA's own names for the error that a fault becomes. */
const FAULT_ERRORS: Readonly<Record<FaultKind, number>> = {
  'out-of-bounds': CUDA.IllegalAddress,
  misaligned: CUDA.MisalignedAddress,
  // A GPU waits for ever, or until a watchdog ends the kernel.
  barrier: CUDA.LaunchTimeout,
  'step-limit': CUDA.LaunchTimeout,
  'illegal-instruction': CUDA.IllegalInstruction,
  trap: CUDA.LaunchFailure,
  assert: CUDA.Assert,
  'stack-overflow': CUDA.HardwareStackError,
  unsupported: CUDA.LaunchFailure,
};

export class CudaContext {
  readonly host: HostMemory;
  readonly memory: DeviceMemory;
  readonly devices: readonly DeviceState[];
  /** What cudaSetDevice chose. */
  current: DeviceState;
  readonly unified: UnifiedMemory;
  readonly tasks: Tasks | undefined;
  readonly isSanitized: boolean;
  readonly clock: ProgramClock;
  /** Grids that the host program has launched. */
  launches = 0;
  lastError: number = CUDA.Success;
  readonly faults: Fault[] = [];
  /** Calls that failed before any fault, as "cudaMalloc of 400 bytes: cudaErrorMemoryAllocation (out of memory)", each once. */
  readonly failedCalls = new Set<string>();
  /** The first request for device memory that the simulator could not meet although the device has as much. */
  shortage: { readonly call: string; readonly sizeBytes: number; readonly heldBytes: number } | undefined;
  /** Launches by `<<<>>>`, which returns nothing, that failed since the program last asked for errors. */
  readonly unseenRefusals: { readonly kernel: string; readonly code: number }[] = [];
  /** Calls that failed, without the sanitizer those that free memory alone, since the program last asked for an error, or for an error's name. */
  readonly unnoticed: UnnoticedFailure[] = [];
  /** Functions that were called and answer that they are not supported, with what they need. */
  readonly notSupported = new Map<string, string>();
  /** Told when the host has waited for the device. */
  afterSynchronizing: (() => void) | undefined;
  /** Libraries that the program has used, by name. */
  readonly libraries = new Set<string>();
  /** What the program's calls of the runtime have begun: the driver, as cuInit does, and a context of the device. */
  begun: 'nothing' | 'driver' | 'context' = 'nothing';
  /** What the program does with windows. */
  readonly window: WindowUse = { isOpen: false };
  /** Arrays that a harness wants shown. */
  readonly shownBuffers: BufferReport[] = [];
  /** Of L2, set aside for what persists: cudaLimitPersistingL2CacheSize, of which an H200 has so much at the start. */
  persistingL2Bytes = 11_796_480;
  /** Allocations that the program has freed. */
  freed = 0;
  /** Launches that waited for managed memory, for how much and how long, and what all kernels took without. */
  readonly managedWaits = { launches: 0, bytes: 0, ns: 0, prefetchedNs: 0, kernelsNs: 0 };
  /** Bytes of a device that handles of the driver hold and no pointer leads to. */
  unmappedBytes: (device: number) => number = () => 0;
  readonly #printf: PrintfFifo;
  #allocations = 0;
  readonly #allocatedAt = new Map<string, () => Location | undefined>();
  readonly #options: ContextOptions;

  constructor(options: ContextOptions) {
    const { host, memory } = options;
    this.host = host;
    this.memory = memory;
    this.devices = options.devices.map((profile, index) => {
      return { index, profile, corrupted: CUDA.Success, pendingError: CUDA.Success, peers: new Set<number>() };
    });
    this.current = this.devices[0];
    this.tasks = options.tasks;
    this.isSanitized = options.isSanitized ?? false;
    this.clock = options.clock;
    this.unified = new UnifiedMemory(host, memory);
    this.#options = options;
    this.#printf = new PrintfFifo((bytes) => options.printed(bytes));
  }

  get device(): DeviceProfile {
    return this.current.profile;
  }

  get corrupted(): number {
    return this.current.corrupted;
  }

  set corrupted(code: number) {
    this.current.corrupted = code;
  }

  /** A device on which something is done now: that of the stream. */
  get busy(): DeviceState {
    return this.devices[this.clock.queue.device.index];
  }

  /** The simulated device has stopped because of a fault, whether or not the program can know it yet. */
  get isDead(): boolean {
    return this.busy.pendingError !== CUDA.Success || this.busy.corrupted !== CUDA.Success;
  }

  /** What is allocated, created and launched from now on is this device's. */
  select(index: number): void {
    this.current = this.devices[index];
    this.memory.owner = index;
  }

  /** What device printf prints until a synchronisation shows it. */
  get printf(): PrintfFifo {
    return this.#printf;
  }

  fail(fault: Fault): void {
    this.faults.push(fault);
    if (!this.isDead) this.busy.pendingError = FAULT_ERRORS[fault.kind];
  }

  /** What a call does that waits for the device: shows its output, and learns of a fault. */
  synchronize(): number {
    this.#printf.drain();
    this.afterSynchronizing?.();
    const { current } = this;
    if (current.pendingError !== CUDA.Success) {
      for (const fault of this.faults) if (fault.kind === 'assert') this.#options.asserted(fault);
      current.corrupted = current.pendingError;
      current.pendingError = CUDA.Success;
    }
    return current.corrupted;
  }

  /** As `synchronize`, by a call that waits for all streams. */
  synchronizeAll(): number {
    this.tasks?.order.synchronizeAll();
    this.clock.waitForDevice(this.current.index);
    return this.synchronize();
  }

  /** Ends the program by its C library's `exit`. */
  exitHost(status: number): void {
    this.#options.exitHost?.(status);
  }

  /** Where in the program's text the host is. */
  hostPlace(): Location | undefined {
    return this.#options.hostPlace?.();
  }

  /** When, for messages: the host program's lines are not known. */
  launchesSoFar(): string {
    if (this.launches === 0) return 'before the first kernel launch';
    return `after ${this.launches} kernel launch${this.launches === 1 ? '' : 'es'}`;
  }

  /** Bytes that the program has allocated on the device; what all devices see counts for the first. */
  heldBytes(): number {
    const own = this.memory.allocations.filter(({ owner = 0 }) => owner === this.current.index);
    return own.reduce((sum, { sizeBytes }) => sum + sizeBytes, this.unmappedBytes(this.current.index));
  }

  /** The error of an allocation for which there is no room; a negative size is one beyond 2^63. */
  refuse(call: string, sizeBytes: number): number {
    const heldBytes = this.heldBytes();
    if (sizeBytes > 0 && heldBytes + sizeBytes <= this.device.globalBytes) this.shortage ??= { call, sizeBytes, heldBytes };
    return CUDA.MemoryAllocation;
  }

  /** A label for messages, which add the size: "cudaMalloc no. 3". */
  label(call: string): string {
    this.#allocations++;
    const label = `${call} no. ${this.#allocations}`;
    const trace = this.#allocations <= MOST_PLACES ? this.#options.hostTrace?.() : undefined;
    if (trace) this.#allocatedAt.set(label, trace);
    return label;
  }

  /** Where the program asked for the memory of a label. */
  allocationPlace(label: string): Location | undefined {
    return this.#allocatedAt.get(label)?.();
  }

  /** Where the device sees what lies at an address of either side. */
  deviceAddress(address: number): number {
    const mirror = this.unified.find(address);
    return mirror ? mirror.device + hostAddress(mirror, address) - mirror.host : address;
  }

  /**
   * Where [address, address + sizeBytes) lies; undefined if no single allocation holds it. `side`: what is meant where host and device both
   * have such an address, which of `either` nobody can tell.
   */
  locate(address: number, sizeBytes: number, side: 'host' | 'device' | 'either' = 'device'): Place | undefined {
    if (sizeBytes < 0) return undefined;
    const mirror = this.unified.find(address);
    if (mirror) {
      const start = hostAddress(mirror, address);
      if (start + sizeBytes > mirror.host + mirror.sizeBytes) return undefined;
      return { side: 'both', bytes: this.host.bytes.subarray(start, start + sizeBytes), end: endOf(mirror, this.current.index) };
    }
    const isHost = this.host.owns(address, sizeBytes);
    const allocation = this.memory.find(address, sizeBytes);
    if (allocation && isHost && side === 'either') return undefined;
    if (allocation && !(isHost && side === 'host')) {
      const end = { at: 'device', device: allocation.owner ?? this.current.index } as const;
      return { side: 'device', bytes: this.memory.bytes.subarray(address, address + sizeBytes), end };
    }
    if (!isHost) return undefined;
    return { side: 'host', bytes: this.host.bytes.subarray(address, address + sizeBytes), end: { at: 'pageable' } };
  }
}

/** Managed memory is where it was used last. */
function endOf({ kind, deviceBytes }: Mirror, device: number): End {
  if (kind !== 'managed') return { at: 'pinned' };
  return deviceBytes > 0 ? { at: 'device', device } : { at: 'pageable' };
}

export interface UnnoticedFailure {
  /** As in `failedCalls`. */
  readonly text: string;
  readonly place: Location | undefined;
}

/** Calls whose failure changes what the program computes. Launches without a result are in `unseenRefusals`. */
const MATTERS = /^cuda(Mem(cpy|set)|Malloc|Free|HostAlloc|StreamWaitEvent|EventRecord|GraphLaunch|LaunchCooperativeKernel|SetDevice)/;
/** Those of which every run notes a failure: others' results are looked at, which cannot be seen, too often. */
const ALWAYS_NOTED = /^cuda(Free|SetDevice)/;
const MOST_UNNOTICED = 100;
/** Allocations whose lines are known. */
const MOST_PLACES = 1000;

/** Calls whose second argument is a number of bytes. */
const ALLOCATES = /^cuda(Malloc|MallocManaged|MallocHost|HostAlloc|MallocAsync)$/;

function failedCall(name: string, args: readonly number[], code: number): string {
  const size = ALLOCATES.test(name) ? ` of ${BigInt.asUintN(64, BigInt(args[1]))} bytes` : '';
  return `${name}${size}: ${errorName(code)} (${errorText(code)})`;
}

/** Calls that need no driver, and those that ask about devices only. */
const WITHOUT_DRIVER = /^cuda(Runtime|Driver)GetVersion$/;
const WITHOUT_CONTEXT =
  /^cuda(GetDevice(Count|Properties|Flags)?|DeviceGet(Attribute|P2PAttribute|PCIBusId|ByPCIBusId)|DeviceCanAccessPeer|ChooseDevice|SetDeviceFlags|SetValidDevices|DeviceReset)$/;

function begin(context: CudaContext, name: string) {
  if (WITHOUT_DRIVER.test(name)) return;
  if (!WITHOUT_CONTEXT.test(name)) context.begun = 'context';
  else if (context.begun === 'nothing' || name === 'cudaDeviceReset') context.begun = 'driver';
}

/**
 * Makes functions that return a cudaError_t behave as the runtime's do: after a fault all return its error, and an error that is
 * returned becomes the last error.
 */
export function apiCalls(context: CudaContext, functions: Functions): Functions {
  const wrapped = Object.entries(functions).map(([name, call]) => {
    const guarded = (...args: number[]) => {
      if (context.begun !== 'context' || name === 'cudaDeviceReset') begin(context, name);
      const code = context.clock.call(name, () =>
        context.corrupted !== CUDA.Success ? context.corrupted : (call(...args) ?? CUDA.Success),
      );
      // cudaErrorNotReady says "ask again later": the runtime does not record it.
      if (code !== CUDA.Success && code !== CUDA.NotReady) {
        context.lastError = code;
        if (!context.isDead) {
          const text = failedCall(name, args, code);
          context.failedCalls.add(text);
          if ((context.isSanitized ? MATTERS : ALWAYS_NOTED).test(name) && context.unnoticed.length < MOST_UNNOTICED)
            context.unnoticed.push({ text, place: context.hostPlace() });
        }
      }
      return code;
    };
    return [name, guarded] as const;
  });
  return Object.fromEntries(wrapped);
}
