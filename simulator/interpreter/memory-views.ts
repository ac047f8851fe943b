/** Typed views over one memory: the device's, a block's shared memory, a warp's local memory. Offsets are in bytes. */
export class MemoryViews {
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly i32: Int32Array;
  readonly data: DataView;

  constructor(readonly buffer: ArrayBufferLike) {
    this.u8 = new Uint8Array(buffer);
    this.u16 = new Uint16Array(buffer, 0, buffer.byteLength >>> 1);
    this.i32 = new Int32Array(buffer, 0, buffer.byteLength >>> 2);
    this.data = new DataView(buffer);
  }
}
