type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };
type OptionalKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];
type WithoutUndefined<T> = Omit<T, OptionalKeys<T>> & Partial<Defined<Pick<T, OptionalKeys<T>>>>;

/** Members that are undefined become absent: on the wire and in events, absent is not null. */
export function withoutUndefined<T extends object>(value: T): WithoutUndefined<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as unknown as WithoutUndefined<T>;
}
