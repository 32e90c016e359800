import { api } from "../routes";

export const dynamic = "force-dynamic";

// Public documentation, readable without a certificate.
export const GET = () =>
  new Response(api().text, { headers: { "content-type": "application/json" } });
