import type { Adapter, AdapterPayload } from "oidc-provider";
import type { AspspProfile } from "@/lib/domain/aspsp-profile";
import { after, type Clock } from "@/lib/domain/clock";
import type { OidcProviderModule } from "./load-provider";
import { endByTheMachine } from "./machine-time";
import { hashOf, type OidcModelStore, type StoredOidcPayload } from "./oidc-model-store";
import type { FindClient } from "./tpp-client";

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
    // Every authorisation has an SCA of its own, so no browser session is kept between two of them.
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
      const expiresAt = after(await clock.now(), secondsToLive, "second");
      // The grant itself is found by its own id, so that revoking it takes everything in one go.
      const grantId = model === "Grant" ? id : payload.grantId;
      const keys = { grantId, uid: payload.uid, accountId: payload.accountId };
      await models.upsert(model, hashOf(id), payload, expiresAt, keys);
    },

    find: async (id) => {
      const now = await clock.now();
      const stored = await models.find(model, hashOf(id), now);
      if (stored === undefined) return undefined;
      const exp = await endByTheMachine(stored.expiresAt, now);
      // Whether a refresh token may be used again is judged when it is used, not when it is read.
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
      // Somebody else was first: one of the two has stolen it (RFC 6749 4.1.2, RFC 9700 4.14.2).
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
