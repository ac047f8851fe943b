/** Typed views over one memory: the device's, a block's shared memory, a warp's local memory. Offsets are in bytes. */
export class MemoryViews {
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly i32: Int32Array;
  readonly data: DataView;

  /** The memory starts at `start`, a multiple of 4, in the buffer. */
  constructor(
    readonly buffer: ArrayBufferLike,
    start = 0,
  ) {
    const bytes = buffer.byteLength - start;
    this.u8 = new Uint8Array(buffer, start);
    this.u16 = new Uint16Array(buffer, start, Math.floor(bytes / 2));
    this.i32 = new Int32Array(buffer, start, Math.floor(bytes / 4));
    this.data = new DataView(buffer, start);
  }
}
