/** Names that the standard writes with a hyphen, which no property of ours has. */
const hyphened: Readonly<Record<string, string>> = {
  accountId: "account-id",
  paymentProduct: "payment-product",
  paymentService: "payment-service",
};

/** A parameter of a path, by its name in the standard. */
export function nameInPath(name: string): string {
  return hyphened[name] ?? name;
}

/** `/accounts/{accountId}` as `/accounts/{account-id}`. */
export function pathInStandard(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => `{${nameInPath(name)}}`);
}
