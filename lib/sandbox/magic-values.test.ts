import { expect, it } from "vitest";
import type { PasskeyVerifier } from "@/lib/domain/passkeys";
import type { PsuId } from "@/lib/domain/values";
import { asDelivered, withFailingPasskeys } from "./magic-values";

type Verify = Parameters<PasskeyVerifier["verify"]>;

const psuOf = (login: string) => ({ id: login as string as PsuId, userId: login, name: "Ana" });
const text = { psuId: "1" as string as PsuId, sentAt: new Date(0), text: "Code 190", code: "190" };

it("the login sca-fails has each digit of a code changed, and no other login does", () => {
  expect(asDelivered(text, psuOf("sca-fails-1"))).toMatchObject({ text: "Code 201", code: "201" });
  expect(asDelivered(text, psuOf("passkey-fails-1"))).toEqual(text);
  expect(asDelivered(text, undefined)).toEqual(text);
});

it("the login passkey-fails has right signatures refused, and no other login does", async () => {
  const right = { verify: async () => ({ counter: 1 }) } as unknown as PasskeyVerifier;
  const { verify } = withFailingPasskeys(right, { find: async (id) => psuOf(id) });
  const signedBy = (psuId: string) => verify({} as Verify[0], { passkey: { psuId } } as Verify[1]);
  expect(await signedBy("passkey-fails-1")).toBeUndefined();
  expect(await signedBy("sca-fails-1")).toEqual({ counter: 1 });
  expect(await signedBy("ana")).toEqual({ counter: 1 });
});
