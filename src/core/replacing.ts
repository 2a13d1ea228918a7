/** An object with some of its members replaced, for wrapping what may be an instance of a class with private fields. */

export function replacing<T extends object>(target: T, members: Partial<T>): T {
  return new Proxy(target, {
    get(original, key) {
      if (Object.hasOwn(members, key)) return Reflect.get(members, key);
      const member: unknown = Reflect.get(original, key, original);
      // Methods must find their private fields on `this`.
      return typeof member === 'function' ? member.bind(original) : member;
    },
  });
}
