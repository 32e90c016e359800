import { hash, verify } from "@node-rs/argon2";

/** argon2id, its default here, with the least costs that OWASP names: 19 MiB, 2 passes, 1 lane. */
const costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of a random text that nobody kept, made with these costs. */
const decoyHash =
  "$argon2id$v=19$m=19456,t=2,p=1$z5g1Mmt7kzuJoTu474JVQg$LUdyyUx8BM+H2TRE6iacmSMz8xxGaAj2EuX7HlYoCAc";

export function hashPassword(password: string): Promise<string> {
  return hash(password, costs);
}

/**
 * Without a hash to compare with, the decoy is verified, so that time does not tell whether there is
 * one; the answer is no even if it should match.
 */
export async function passwordMatches(
  password: string,
  passwordHash: string | null | undefined,
): Promise<boolean> {
  const matches = await verify(passwordHash ?? decoyHash, password);
  return matches && typeof passwordHash === "string";
}
