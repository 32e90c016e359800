import type { Tpp } from "@/lib/domain/tpp/tpp";
import type { TppRegister } from "@/lib/domain/tpp/tpp-register";
import { LocalFault } from "../faults";
import { isClientId } from "../tpp-client";

/** The TPP named by `client_id`. A bank knows those that have shown it a certificate. */
export async function checkClient(
  parameters: URLSearchParams,
  register: Pick<TppRegister, "find">,
): Promise<Tpp> {
  const [clientId, ...more] = parameters.getAll("client_id");
  if (clientId === undefined || more.length > 0 || !isClientId(clientId)) {
    throw new LocalFault("unknown-client");
  }
  const tpp = await register.find(clientId);
  if (tpp === undefined) throw new LocalFault("unknown-client");
  return tpp;
}
