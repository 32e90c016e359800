import type { Psd2Role, Tpp } from "@/lib/domain/tpp";

/** A TPP by the roles of its certificate. `several` is more than one role, or PSP_AS, which opens nothing here. */
export type TppClass = "ais" | "pis" | "cbpii" | "several" | "none";

const classes: Readonly<Record<Psd2Role, TppClass>> = {
  PSP_AI: "ais",
  PSP_PI: "pis",
  PSP_IC: "cbpii",
  PSP_AS: "several",
};

/** By the object that a handler was given: an async context of each request would cost each of its steps something. */
const accepted = new WeakMap<object, TppClass>();

/** For metrics, once the certificate of a request is accepted; whatever the answer is then. */
export function noteAccepted(
  request: object,
  { roles: [role, ...more] }: Pick<Tpp, "roles">,
): void {
  if (role !== undefined) accepted.set(request, more.length > 0 ? "several" : classes[role]);
}

/** `none` where no certificate was accepted. */
export function acceptedClass(request: object | undefined): TppClass {
  return (request && accepted.get(request)) ?? "none";
}

/** Of a request that is handled as another. */
export function passAccepted(handled: object, request: object): void {
  const known = accepted.get(handled);
  if (known !== undefined) accepted.set(request, known);
}
