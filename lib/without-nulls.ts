type WithoutNulls<Row> = {
  [Key in keyof Row as null extends Row[Key] ? never : Key]: Row[Key];
} & { [Key in keyof Row as null extends Row[Key] ? Key : never]?: NonNullable<Row[Key]> };

/** SQL says null, the domain leaves the member out. */
export function withoutNulls<Row extends object>(row: Row): WithoutNulls<Row> {
  const present = Object.entries(row).filter(([, value]) => value !== null);
  // Object.entries forgets which members there are; the type says what the filter did.
  return Object.fromEntries(present) as WithoutNulls<Row>;
}
