import type { X509Certificate } from "node:crypto";
import type Provider from "oidc-provider";
import type { Clock } from "@/lib/domain/clock";
import { Rejection } from "@/lib/domain/rejection";
import type { Tpp } from "@/lib/domain/tpp/tpp";

/** A QWAC that has passed all checks. */
export type PresentedQwac = { readonly tpp: Tpp; readonly certificate: X509Certificate };

/**
 * Judges the `Client-Cert` header (RFC 9440). Rejects with a Rejection for anything but a good QWAC, and with
 * 429 for one whose TPP sends too many requests.
 */
export type IdentifyTpp = (clientCert: string | undefined, now: Date) => Promise<PresentedQwac>;

type Middleware = Parameters<Provider["use"]>[0];
type Context = { readonly req: object };

const NEED_CERTIFICATE: readonly string[] = ["/token", "/token/revocation"];

/**
 * Mutual TLS client authentication (RFC 8705): a client is who its certificate says. The step comes
 * first, before anything is looked up, and its answer has the form of RFC 6749 5.2.
 */
export function tppCertificates(identifyTpp: IdentifyTpp, clock: Clock) {
  const presented = new WeakMap<object, PresentedQwac>();

  const identify: Middleware = async (ctx, next) => {
    if (!NEED_CERTIFICATE.includes(ctx.path)) return next();
    const header = ctx.req.headers["client-cert"];
    try {
      const clientCert = typeof header === "string" ? header : undefined;
      presented.set(ctx.req, await identifyTpp(clientCert, await clock.now()));
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const tooMany = error.status === 429;
      ctx.status = tooMany ? 429 : 401;
      ctx.set(error.headers);
      // RFC 6749 5.2 has no code for it; this one says the same to an authorisation request (4.1.2.1).
      const code = tooMany ? "temporarily_unavailable" : "invalid_client";
      ctx.body = { error: code, error_description: error.faults[0].text };
      return undefined;
    }
    return next();
  };

  return {
    identify,
    certificateOf: ({ req }: Context) => presented.get(req)?.certificate,
    isPresented: ({ req }: Context) => presented.has(req),
    belongsTo: ({ req }: Context, clientId: string | undefined) =>
      clientId !== undefined && presented.get(req)?.tpp.id === clientId,
  };
}

export type TppCertificates = ReturnType<typeof tppCertificates>;
