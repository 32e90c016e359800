import { createHash } from "node:crypto";
import type { Adapter, AdapterPayload } from "oidc-provider";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import type { OidcModelStore, StoredOidcPayload } from "@/lib/domain/oidc-models";
import { addTime, type Clock } from "@/lib/domain/values";
import { systemClock } from "@/lib/system-clock";
import type { FindClient } from "./authorisation-request";
import type { OidcProviderModule } from "./load-provider";

type AdapterPorts = {
  readonly models: OidcModelStore;
  readonly clock: Clock;
  readonly profile: AspspProfile;
  readonly findClient: FindClient;
};

/** oidc-provider's storage, one adapter for each of its models. */
export function adapterFactory(
  ports: AdapterPorts,
  { errors }: Pick<OidcProviderModule, "errors">,
) {
  return (model: string): Adapter => {
    if (model === "Client") return { ...nothingKept, find: ports.findClient };
    // Every authorisation has its own SCA, so no browser session is stored.
    if (model === "Session") return nothingKept;
    return storedModel(model, ports, errors);
  };
}

const nothingKept: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

function storedModel(
  model: string,
  { models, clock, profile }: AdapterPorts,
  errors: OidcProviderModule["errors"],
): Adapter {
  return {
    ...nothingKept,

    upsert: async (id, { jti: _id, ...payload }, secondsToLive) => {
      if (secondsToLive === undefined) throw new Error(`${model} without an end`);
      const expiresAt = addTime(await clock.now(), secondsToLive, "second");
      // The grant has its own id as grantId, so that revoking it deletes everything in one statement.
      const grantId = model === "Grant" ? id : payload.grantId;
      const keys = { grantId, uid: payload.uid, accountId: payload.accountId };
      await models.upsert(model, hashOf(id), payload, expiresAt, keys);
    },

    find: async (id) => {
      const now = await clock.now();
      const stored = await models.find(model, hashOf(id), now);
      if (stored === undefined) return undefined;
      const exp = await endByMachineTime(stored.expiresAt, now);
      // Whether a refresh token may be used again is checked when it is used, not when it is read.
      return restore(
        model === "RefreshToken" ? { ...stored, consumedAt: undefined } : stored,
        id,
        exp,
      );
    },

    consume: async (id) => {
      const now = await clock.now();
      const used =
        model === "RefreshToken"
          ? await models.rotate(hashOf(id), now, profile.oauth.refreshGraceSeconds)
          : await models.consume(model, hashOf(id), now);
      if (used) return;
      // Used before: one of the two callers has stolen it (RFC 6749 4.1.2, RFC 9700 4.14.2).
      const spent = await models.find(model, hashOf(id), now);
      const grantId = spent?.payload["grantId"];
      if (typeof grantId === "string") await models.revokeByGrant(grantId);
      throw new errors.InvalidGrant(`${model} already used`);
    },

    destroy: (id) => models.destroy(model, hashOf(id)),
    revokeByGrantId: (grantId) => models.revokeByGrant(grantId),
  };
}

function restore(
  { payload, consumedAt }: StoredOidcPayload,
  id: string,
  exp: number,
): AdapterPayload {
  const restored: AdapterPayload = { ...payload, jti: id, exp };
  if (consumedAt !== undefined) restored.consumed = Math.floor(consumedAt.getTime() / 1_000);
  return restored;
}

/** Ids are codes and tokens: a reader of the database must not be able to redeem them. */
export function hashOf(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}

/**
 * The expiry of a stored model for oidc-provider, in seconds since 1970. The library compares it with
 * the machine's clock, and saves an interaction again for the remaining time; so the remaining time by
 * the bank's clock, which in the sandbox can be moved, is added to the machine's time. Rounded up: the
 * store checks to the millisecond, and the library must not be stricter.
 */
export async function endByMachineTime(expiresAt: Date, now: Date): Promise<number> {
  const machine = await systemClock.now();
  const left = Math.ceil((expiresAt.getTime() - now.getTime()) / 1_000);
  return Math.floor(machine.getTime() / 1_000) + left;
}
