import { describe, expect, it } from 'vitest';
import { withWriteBuffer } from '../../simulator/toolchain/write-buffer.ts';

/** A system that notes what is written to which file, and the other calls. */
function system({ atOnce = Number.POSITIVE_INFINITY, error = 0 } = {}) {
  const memory = new WebAssembly.Memory({ initial: 2 });
  const view = () => new DataView(memory.buffer);
  const events: string[] = [];
  const calls = {
    fd_write(file: number, vectors: number, _count: number, written: number): number {
      if (error) return error;
      const from = view().getUint32(vectors, true);
      const length = Math.min(atOnce, view().getUint32(vectors + 4, true));
      events.push(`${file}: ${new TextDecoder().decode(new Uint8Array(memory.buffer, from, length))}`);
      view().setUint32(written, length, true);
      return 0;
    },
    fd_close(file: number): number {
      events.push(`close ${file}`);
      return 0;
    },
    clock_time_get(): number {
      events.push('time');
      return 0;
    },
  };
  const said = (piece: Uint8Array) => void events.push(`said: ${new TextDecoder().decode(piece)}`);
  const buffered = withWriteBuffer(calls, () => memory, said) as unknown as typeof calls;
  /** As Clang calls it: one vector at address 64, its bytes at 1024. */
  const write = (file: number, text: string) => {
    const bytes = new TextEncoder().encode(text);
    if (memory.buffer.byteLength < 1024 + bytes.length) memory.grow(2);
    new Uint8Array(memory.buffer).set(bytes, 1024);
    view().setUint32(64, 1024, true);
    view().setUint32(68, bytes.length, true);
    const result = buffered.fd_write(file, 64, 1, 72);
    return result || view().getUint32(72, true);
  };
  return { events, buffered, write, memory };
}

describe('buffer before what Clang writes', () => {
  it('joins small writes, and writes them out before another call', () => {
    const { events, buffered, write } = system();
    expect([write(4, 'define '), write(4, 'void '), write(4, '@f()')]).toEqual([7, 5, 4]);
    expect(events).toEqual([]);
    buffered.clock_time_get();
    buffered.fd_close(4);
    expect(events).toEqual(['time', '4: define void @f()', 'close 4']);
  });

  it('keeps the order of two files', () => {
    const { events, buffered, write } = system();
    write(4, 'a');
    write(5, 'b');
    write(4, 'c');
    buffered.fd_close(4);
    expect(events).toEqual(['4: a', '5: b', '4: c', 'close 4']);
  });

  it('hands on what is said on the error stream, at once and without the system', () => {
    const { events, write, memory } = system();
    const bytes = memory.buffer.byteLength;
    expect([write(2, 'error'), write(1, 'COMPLETION: ')]).toEqual([5, 12]);
    expect(events).toEqual(['said: error', 'said: COMPLETION: ']);
    expect(memory.buffer.byteLength).toBe(bytes);
  });

  it('goes on where the system has written a part', () => {
    const { events, buffered, write } = system({ atOnce: 3 });
    write(4, 'abcdefgh');
    buffered.fd_close(4);
    expect(events).toEqual(['4: abc', '4: def', '4: gh', 'close 4']);
  });

  it('passes long writes on, behind what waits', () => {
    const { events, write } = system();
    const long = 'x'.repeat(70_000);
    write(4, 'short');
    expect(write(4, long)).toBe(70_000);
    expect(events).toEqual(['4: short', `4: ${long}`]);
  });

  it('follows a memory that grows', () => {
    const { events, buffered, write, memory } = system();
    write(4, 'before ');
    memory.grow(1);
    write(4, 'after');
    buffered.fd_close(4);
    expect(events).toEqual(['4: before after', 'close 4']);
  });

  it('says what the system refused at the next call', () => {
    const { events, buffered, write } = system({ error: 51 });
    expect(write(4, 'text')).toBe(4);
    expect(buffered.fd_close(4)).toBe(51);
    expect(events).toEqual([]);
  });
});
