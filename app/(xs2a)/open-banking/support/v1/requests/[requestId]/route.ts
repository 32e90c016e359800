import { refusalsOfRequest } from "@/lib/domain/refused-requests";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { noToken } from "@/lib/xs2a/token";
import { ofRefusedRequest, refusalsRead, requestPath } from "@/lib/xs2a/wire/refused-requests";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "explainRefusedRequest",
    summary: "Read why a request of one's own was refused",
    role: "any",
    token: noToken,
    path: requestPath,
    refuses: ofRefusedRequest,
    handle: ({ qwac, path }, ports) =>
      refusalsOfRequest(ports, { requestId: path.requestId, tppId: qwac.tpp.id }),
    reply: refusalsRead,
  }),
});
