import { z } from "zod";

// What a setting may be; what is said of another value is for the person who starts the server.

export const url = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL", abort: true })
  .refine((text) => new URL(text).href === `${new URL(text).origin}/`, {
    error: "must be an origin without a path, as in https://bank.example:8443",
  })
  .transform((text) => new URL(text).origin);
export const wholeNumber = (what: string, min: number, max: number) => {
  const inRange = `must be ${what} from ${min} to ${max}`;
  return z.coerce
    .number(`must be ${what}`)
    .int(`must be ${what}`)
    .min(min, inRange)
    .max(max, inRange);
};
export const port = wholeNumber("a port number", 1, 65_535);
export const flag = z
  .enum(["true", "false"], "must be true or false")
  .transform((text) => text === "true");
export const seconds = wholeNumber("a whole number of seconds", 0, 300);
/** As libpq has it: several hosts in one URL, separated by commas. */
export const database = z
  .string()
  .refine(isDatabaseUrl, "must be a postgres:// URL")
  .refine((text) => !/[?&]target_session_attrs=(?!(read-write|primary)(&|$))/.test(text), {
    error: "target_session_attrs must be read-write or primary",
  });
const parts = z.string().transform((text) => text.split(",").map((part) => part.trim()));
export const addresses = parts.pipe(
  z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], "must be IP addresses")),
);
export const origins = parts.pipe(z.array(url));
export const gateway = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL", abort: true })
  .refine((text) => new URL(text).username === "" && new URL(text).password === "", {
    error: "must hold no user and password; SMS_GATEWAY_TOKEN is the place for a secret",
  });
/** RFC 6750 2.1. */
export const bearer = z.string().regex(/^[A-Za-z0-9\-._~+/]+=*$/, "must be a bearer token");
export const secret = z.string().min(32, "must have at least 32 characters");
export const file = z.string().min(1);

function isDatabaseUrl(text: string): boolean {
  const [, head, hosts, rest] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/.exec(text) ?? [];
  return hosts?.split(",").every((host) => URL.canParse(`${head}${host}${rest}`)) === true;
}
