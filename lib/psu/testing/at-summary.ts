import { browser } from "./browser";
import { desk, ISSUER } from "./desk";

/** A PSU who has signed in and chosen an account; the code is on its way. */
export async function atSummary(given: Parameters<typeof desk>[0] = {}) {
  const ours = await desk(given);
  const psu = browser(ours);
  await psu.signIn();
  await psu.choose("current");
  return { ours, psu };
}

export function there(response: Response): string {
  return response.headers.get("location") ?? "nowhere";
}

/** The PSU's no, as it reaches the TPP. */
export function refusedAt(path = "/cb"): string {
  const iss = encodeURIComponent(ISSUER);
  return `https://tpp.example${path}?error=access_denied&state=state+of+the+TPP&iss=${iss}`;
}
