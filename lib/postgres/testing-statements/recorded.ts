/** A statement as it was sent last; one that is prepared has a plan for whatever it is given. */
export type Asked = {
  readonly text: string;
  readonly params: readonly unknown[];
  readonly prepared: boolean;
};

/** The same client, which notes what Drizzle sends with it, in transactions too. */
export function recorded<Client extends object>(
  client: Client,
  note: (asked: Asked) => void,
): Client {
  return new Proxy(client, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name);
      if (typeof found !== "function") return found;
      if (name === "unsafe") {
        return (text: string, params: readonly unknown[] = [], options?: { prepare?: boolean }) => {
          note({ text, params, prepared: options?.prepare === true });
          return Reflect.apply(found, target, [text, params, options]);
        };
      }
      if (name === "begin") {
        return (work: (tx: object) => unknown) =>
          Reflect.apply(found, target, [(tx: object) => work(recorded(tx, note))]);
      }
      return found;
    },
  });
}
