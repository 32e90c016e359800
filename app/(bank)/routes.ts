import { published, type Routes } from "@/lib/bank-api/openapi";
import * as endOptOut from "./bank/v1/customers/[customerId]/opt-outs/end/route";
import * as optOuts from "./bank/v1/customers/[customerId]/opt-outs/route";
import * as payments from "./bank/v1/customers/[customerId]/payments/route";
import * as accesses from "./bank/v1/customers/[customerId]/permissions/[kind]/[permissionId]/accesses/route";
import * as endPermission from "./bank/v1/customers/[customerId]/permissions/[kind]/[permissionId]/end/route";
import * as permission from "./bank/v1/customers/[customerId]/permissions/[kind]/[permissionId]/route";
import * as permissions from "./bank/v1/customers/[customerId]/permissions/[kind]/route";
import * as endPermissions from "./bank/v1/customers/[customerId]/permissions/end/route";
import * as events from "./bank/v1/events/route";
import * as statistics from "./bank/v1/statistics/route";
import * as block from "./bank/v1/tpps/[tppId]/block/route";
import * as blockRequests from "./bank/v1/tpps/[tppId]/block-requests/route";
import * as tpp from "./bank/v1/tpps/[tppId]/route";
import * as unblock from "./bank/v1/tpps/[tppId]/unblock/route";
import * as tpps from "./bank/v1/tpps/route";

const customer = "/bank/v1/customers/{customerId}";

/** The route files by path, for the description of the API; a test compares them with the folders. */
export const routes: Routes = {
  [`${customer}/permissions/{kind}`]: permissions,
  [`${customer}/permissions/end`]: endPermissions,
  [`${customer}/permissions/{kind}/{permissionId}`]: permission,
  [`${customer}/permissions/{kind}/{permissionId}/accesses`]: accesses,
  [`${customer}/permissions/{kind}/{permissionId}/end`]: endPermission,
  [`${customer}/payments`]: payments,
  [`${customer}/opt-outs`]: optOuts,
  [`${customer}/opt-outs/end`]: endOptOut,
  "/bank/v1/events": events,
  "/bank/v1/tpps": tpps,
  "/bank/v1/tpps/{tppId}": tpp,
  "/bank/v1/tpps/{tppId}/block": block,
  "/bank/v1/tpps/{tppId}/unblock": unblock,
  "/bank/v1/tpps/{tppId}/block-requests": blockRequests,
  "/bank/v1/statistics": statistics,
};

export const description = () => published(routes);
