import {
  allowTpp,
  endEveryPermission,
  endPermission,
  listAccesses,
  listOfPermissions,
  listOptOuts,
  listPayments,
  readPermission,
  refuseTpp,
} from "./customers";
import type { Operations } from "./endpoint";
import { published } from "./openapi";
import { listEvents, readStatistics } from "./records";
import { blockTpp, listTpps, readTpp, requestTppBlock, unblockTpp } from "./tpps";

const customer = "/bank/v1/customers/[customerId]";
const tpp = "/bank/v1/tpps/[tppId]";

export const operations: Operations = {
  [`${customer}/permissions/[kind]`]: { GET: listOfPermissions },
  [`${customer}/permissions/end`]: { POST: endEveryPermission },
  [`${customer}/permissions/[kind]/[permissionId]`]: { GET: readPermission },
  [`${customer}/permissions/[kind]/[permissionId]/accesses`]: { GET: listAccesses },
  [`${customer}/permissions/[kind]/[permissionId]/end`]: { POST: endPermission },
  [`${customer}/payments`]: { GET: listPayments },
  [`${customer}/opt-outs`]: { GET: listOptOuts, POST: refuseTpp },
  [`${customer}/opt-outs/end`]: { POST: allowTpp },
  "/bank/v1/events": { GET: listEvents },
  "/bank/v1/tpps": { GET: listTpps },
  [tpp]: { GET: readTpp },
  [`${tpp}/block`]: { POST: blockTpp },
  [`${tpp}/unblock`]: { POST: unblockTpp },
  [`${tpp}/block-requests`]: { POST: requestTppBlock },
  "/bank/v1/statistics": { GET: readStatistics },
};

/** What the listener serves: the operations, and to anybody their description, which holds nobody's data. */
export const bankRoutes = {
  ...operations,
  "/bank/v1/openapi.json": {
    GET: {
      answer: async () => ({
        status: 200,
        headers: { "content-type": "application/json" },
        body: published(operations),
      }),
    },
  },
};
