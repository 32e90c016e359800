import type { ConsentId } from "../identifiers";
import type {
  PermissionKind,
  PermissionRecord,
  PermissionRecords,
  ReadPosition,
} from "../permissions/permission-records";
import { isInForce, permissionState } from "../permissions/permission-state";
import type { Authorisation, ResourceKind } from "../sca/authorisation";
import type { InMemoryBank } from "./in-memory-bank";
import { tpp } from "./samples";

/** Of one TPP only, so what is in force comes first and then the newest. */
export function permissionRecordsOf(bank: InMemoryBank): PermissionRecords {
  const all = (psuId: string) =>
    [...bank.authorisations.values()]
      .filter((authorisation) => authorisation.psuId === psuId)
      .flatMap((authorisation) => recordOf(bank, authorisation))
      .toSorted((one, other) => rank(other) - rank(one));
  return {
    of: async (psuId, { offset, limit }) => all(psuId).slice(offset, offset + limit),
    find: async (psuId, kind, id) =>
      all(psuId).find((record) => record.kind === kind && resourceOf(record).id === id),
    readsOf: async (id, { after, limit }) => {
      const reads = readsOf(bank, id);
      return reads
        .filter(({ position }) => after === undefined || +position < +after)
        .slice(0, limit);
    },
  };
}

const kinds: Readonly<Record<ResourceKind, PermissionKind>> = {
  AIS: "accounts",
  PIIS: "funds",
  PIS: "payments",
};

const resourceOf = (record: PermissionRecord) =>
  record.kind === "payments" ? record.payment : record.consent;

const rank = (record: PermissionRecord) =>
  (isInForce(permissionState(record)) ? 1e15 : 0) + record.requestedAt.getTime();

function recordOf(bank: InMemoryBank, authorisation: Authorisation): readonly PermissionRecord[] {
  const { kind: resourceKind, resourceId, createdAt: requestedAt } = authorisation;
  const lastReadAt = readsOf(bank, resourceId as ConsentId)[0]?.at;
  const common = { tpp, requestedAt, ...(lastReadAt && { lastReadAt }) };
  const kind = kinds[resourceKind];
  if (kind === "payments") {
    const payment = bank.payments.get(resourceId);
    return payment === undefined ? [] : [{ ...common, kind, payment }];
  }
  if (kind === "funds") {
    const consent = bank.fundsConsents.get(resourceId);
    return consent === undefined ? [] : [{ ...common, kind, consent }];
  }
  const consent = bank.consents.get(resourceId);
  return consent === undefined ? [] : [{ ...common, kind, consent }];
}

function readsOf(bank: InMemoryBank, id: ConsentId) {
  return bank.reads
    .map((read, at) => ({ ...read, position: `${at + 1}` as ReadPosition }))
    .filter(({ consentId }) => consentId === id)
    .reverse();
}
