/** What is read of an object, read once for as long as the object is there: facts that an edit leaves alone are the same object after it. */
export function kept<From extends object, To>(read: (from: From) => To): (from: From) => To {
  const known = new WeakMap<From, { readonly value: To }>();
  return (from) => {
    const before = known.get(from);
    if (before) return before.value;
    const value = read(from);
    known.set(from, { value });
    return value;
  };
}
