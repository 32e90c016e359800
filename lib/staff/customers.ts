import { listPermissions } from "@/lib/domain/permissions";
import type { Psu } from "@/lib/domain/psu";
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
  const psu = await psuOf(visit, psuId);
  if (psu === undefined && permissions.length === 0) return undefined;
  await noteView(visit, "customer", psuId);
  const path = `${customerPath(psuId)}/unlock`;
  return {
    ...{ psuId, psu },
    permissions: {
      ...permissionTable(visit, permissions),
      ...(next !== undefined && { only: "newest" as const }),
    },
    block: psu === undefined ? "none" : await signInBlockOf(services, psu.userId, now),
    optOuts: optOuts.slice(0, rowsPerPage),
    moreOptOuts: optOuts.length > rowsPerPage,
    unlockToken: await staffFormToken(visit, path),
  };
}

export type CustomerView = NonNullable<Awaited<ReturnType<typeof customerView>>>;

/** Undefined where the bank's provider, and not this bank, knows how the customer signs in. */
async function psuOf({ services }: StaffVisit, psuId: PsuId): Promise<Psu | undefined> {
  return services.config.PSU_LOGIN === "oidc" ? undefined : services.psuDirectory.find(psuId);
}

/** The handlers of the form that lifts the block on a customer's sign-in. */
export const unlockingCustomer = staffForm({
  action: "unlock-customer",
  page: ({ psuId }) => customerPath(psuId ?? "none"),
  take: async (visit, form, { psuId: id = "none" }) => {
    const { services, operator } = visit;
    const path = customerPath(id);
    const psu = await psuOf(visit, id as PsuId);
    if (psu === undefined) return saying(services, path, "not-found");
    const reason = reasonIn(form);
    if (reason === undefined) return saying(services, path, "reason-missing");
    const stores = services.actingAs({ actor: operator.id, reason });
    await unlockPsu({ ...services, ...stores }, psu);
    return saying(services, path, "unlocked");
  },
});
