import type { Psd2Role } from "@/lib/domain/tpp/tpp";

const services: Readonly<Record<string, Psd2Role>> = {
  aisp: "PSP_AI",
  cbpii: "PSP_IC",
  pisp: "PSP_PI",
};

/** The role that a service is open to; undefined where there is no service (PSD2 art. 65 to 67). */
export function roleForPath(target: string): Psd2Role | undefined {
  const [, service] = /^\/open-banking\/v3\.1\/([a-z]+)\//.exec(target) ?? [];
  return service !== undefined && Object.hasOwn(services, service) ? services[service] : undefined;
}
