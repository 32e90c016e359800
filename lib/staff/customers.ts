import { listPermissions } from "@/lib/domain/permissions";
import { signInBlockOf, unlockPsu } from "@/lib/domain/psu-attempts";
import type { PsuId } from "@/lib/domain/values";
import { permissionTable } from "./case-tables";
import { noteView, reasonIn } from "./cases";
import { saying, staffForm, staffFormToken } from "./forms";
import { customerPath, decodedPart } from "./paths";
import type { StaffVisit } from "./visit";

/** Undefined for somebody of whom nothing is known here. */
export async function customerView(visit: StaffVisit, part: string | undefined) {
  const { services, now } = visit;
  const psuId = decodedPart(part) as PsuId;
  const limit = services.profile.staff.csvRowsMax;
  const { permissions, next } = await listPermissions(services, {
    ...{ psuId, filter: {}, limit, now },
  });
  const { rowsPerPage } = services.profile.staff;
  const optOuts = await services.optOuts.list(psuId, { newest: rowsPerPage + 1 });
  const psu = await services.psuDirectory.find(psuId);
  const block = psu === undefined ? "none" : await signInBlockOf(services, psu.userId, now);
  // Under PSU_LOGIN=oidc the directory finds every id, so that it does not tell who is a customer.
  const isRegistered = psu !== undefined && services.config.PSU_LOGIN !== "oidc";
  const hasRecords = permissions.length > 0 || optOuts.length > 0 || block !== "none";
  if (!isRegistered && !hasRecords) return undefined;
  await noteView(visit, "customer", psuId);
  const path = `${customerPath(psuId)}/unlock`;
  return {
    ...{ psuId, psu, block },
    permissions: {
      ...permissionTable(visit, permissions),
      ...(next !== undefined && { only: "newest" as const }),
    },
    optOuts: optOuts.slice(0, rowsPerPage),
    moreOptOuts: optOuts.length > rowsPerPage,
    unlockToken: await staffFormToken(visit, path),
  };
}

export type CustomerView = NonNullable<Awaited<ReturnType<typeof customerView>>>;

/** The handlers of the form that lifts the block on a customer's sign-in. */
export const unlockingCustomer = staffForm({
  action: "unlock-customer",
  page: ({ psuId }) => customerPath(psuId ?? "none"),
  take: async (visit, form, { psuId: id = "none" }) => {
    const { services, operator } = visit;
    const path = customerPath(id);
    const psu = await services.psuDirectory.find(id as PsuId);
    if (psu === undefined) return saying(services, path, "not-found");
    const reason = reasonIn(form);
    if (reason === undefined) return saying(services, path, "reason-missing");
    const stores = services.actingAs({ actor: operator.id, reason });
    await unlockPsu({ ...services, ...stores }, psu);
    return saying(services, path, "unlocked");
  },
});
