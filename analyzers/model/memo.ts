/**
 * What was found out about objects of a model, until the next model is built. A WeakMap for the life of the process would do the same, but
 * V8's frequent small collections keep whatever the values of an old one hold, and its table grows until it fits no cache.
 */
export class Memo<K extends object, V> {
  private known = new WeakMap<K, V>();

  constructor() {
    MEMOS.push(this);
  }

  get(key: K): V | undefined {
    return this.known.get(key);
  }

  set(key: K, value: V): void {
    this.known.set(key, value);
  }

  forget(): void {
    this.known = new WeakMap();
  }
}

const MEMOS: { forget(): void }[] = [];

export function forgetMemos(): void {
  for (const memo of MEMOS) memo.forget();
}
