import { expect, it } from "vitest";
import config from "@/next.config";
import { contentSecurityPolicy, securityHeaders } from "./security-headers";

it("P3: what Next serves by itself has the security headers of the browser host", async () => {
  const rules = await config.headers?.();
  const [rule] = rules ?? [];
  expect(rules?.map(({ source }) => source)).toEqual(["/:path*"]);
  const given = rule?.headers.map(({ key, value }) => [key, value]) ?? [];
  expect(Object.fromEntries(given)).toEqual(securityHeaders(contentSecurityPolicy, false));
});
