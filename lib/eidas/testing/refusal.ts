import { Rejection } from "@/lib/domain/rejection";

/** The fault that ends the request, or undefined when it goes on; any other error is a crash. */
export function refusal(check: () => unknown): Rejection["faults"][0] | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Rejection) return error.faults[0];
    throw error;
  }
}

export const notTrusted = {
  code: "CERTIFICATE_INVALID",
  text: "certificate is not issued by a trusted issuer",
} as const;
