import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { authentication } from "./bank-api/authenticate";
import { type Config, config, withStaffProvider } from "./config";
import { connectCoreBank } from "./core-bank/connect";
import { namespaces } from "./core-bank/ledger/namespaces";
import { findPsuByUserId, psuDirectory } from "./core-bank/ledger/psu-directory";
import { passkeyVerifier } from "./core-bank/passkey-verifier";
import { oneTimeCodes, smsGateway } from "./core-bank/text-messages";
import type { AspspProfile } from "./domain/bank-profile";
import type { EventLog } from "./domain/events";
import type { Ports } from "./domain/ports";
import { admitTpp, checkNotBlocked } from "./domain/request-context";
import type { SeenTpps } from "./domain/tpp";
import type { PsuId, TppId } from "./domain/values";
import { checkTokenClient } from "./eidas/client-certificate";
import { noticingRevoked, type Revocation, revocation } from "./eidas/revocation";
import type { TrustAnchors } from "./eidas/trust";
import { type AnchorFile, readAnchorFile } from "./eidas/trusted-list";
import { fairQueue } from "./fair-queue";
import { followFiles } from "./files";
import { identityProvider } from "./identity/identity-provider";
import { log } from "./log";
import { attendedReadsAlike, providerFaults, statusFaults, timed } from "./metrics";
import { authorisationServer } from "./oauth/authorisation-server";
import { readSigningKeys } from "./oauth/tokens";
import { guardedFetch } from "./outbound/guarded-fetch";
import { accessBudget } from "./postgres/account-access";
import { authorisationStore } from "./postgres/authorisations";
import { caseRecords } from "./postgres/case-records";
import { type Acting, connect, type Database } from "./postgres/client";
import { consentStore } from "./postgres/consents";
import { eventLog, eventReader } from "./postgres/events";
import { fundsCheck, fundsConsentStore } from "./postgres/funds";
import { interfaceFigures } from "./postgres/interface-figures";
import { operationsOf } from "./postgres/job-health";
import { oidcModels } from "./postgres/oidc";
import { optOutStore } from "./postgres/opt-outs";
import { passkeyStore } from "./postgres/passkeys";
import { paymentStore } from "./postgres/payments";
import { permissionRecords } from "./postgres/permissions";
import { psuAttempts, signInThrottle } from "./postgres/psu-attempts";
import { psuLanguages, textBudget } from "./postgres/psus";
import { refusedRequestStore } from "./postgres/refused-requests";
import { requestContexts } from "./postgres/request-context";
import { messageStore, sandboxClock } from "./postgres/sandbox";
import { psuSessionStore, signInStore } from "./postgres/sign-ins";
import { staffSessionStore } from "./postgres/staff-sessions";
import { statistics } from "./postgres/statistics";
import { tppBlocks } from "./postgres/tpp-blocks";
import { seenTpps, stopList, tppAllowance, tppRegister } from "./postgres/tpps";
import { sandboxNotifications } from "./postgres/webhooks";
import { bankProfile } from "./profile/in-force";
import { blockNotices } from "./psu/block-notices";
import { withOwnAuthority } from "./sandbox/certificate-status";
import { findDemoOperator } from "./sandbox/demo-operators";
import { asDelivered, withFailingPasskeys } from "./sandbox/magic-values";
import { readSecrets, type SecretName, secretFileOf } from "./secrets";
import { machineTime, startOfProcess, systemClock } from "./system-clock";
import { explainRefusal } from "./workshop/explain-refusal";
import { attendedReads } from "./xs2a/attended-reads";
import { certificateLog, certificateName } from "./xs2a/certificate-log";
import { refusalLog, unknownStatusLog } from "./xs2a/refusal-events";
import { refusedRequestLog } from "./xs2a/refused-request-log";

/** All services of this process: the composition root, the only place that knows every adapter. */
export type Services = ReturnType<typeof servicesOf>;

/** For one address; a TPP's request waits for it when nothing is known yet. */
const STATUS_MILLISECONDS_MAX = 2_000;
/** A PSU waits for it. */
const SMS_MILLISECONDS_MAX = 5_000;

type Current = { readonly made: InForce; readonly services: Services };
/** What changes without a restart; each part is the same object until it does. */
type InForce = ReturnType<ReturnType<typeof connectAll>["inForce"]> & {
  readonly file: AspspProfile;
};

let connected: ReturnType<typeof connectAll> | undefined;
let current: Current | undefined;
let replacement: Services | undefined;

/**
 * The services of this module graph, built at the first call: `next build` loads every route without them. The
 * TPP host has one graph; Next has two in its process, one of pages and one of route handlers, which share nothing.
 * A request asks once: when the bank's file, a key or the trust anchors change, the next call returns services with what
 * is new over the same connections, and requests that are under way keep the ones they have.
 */
export function services(file: AspspProfile = bankProfile()): Services {
  if (replacement !== undefined) return replacement;
  connected ??= connectAll(config());
  const found: InForce = { ...connected.inForce(), file };
  if (current === undefined || !isSame(current.made, found)) {
    current = { made: found, services: servicesOf(connected, found) };
  }
  return current.services;
}

function isSame(one: InForce, other: InForce): boolean {
  return (Object.keys(one) as (keyof InForce)[]).every((part) => one[part] === other[part]);
}

/** For tests with their own services; after `undefined` the next call builds them. */
export function replaceServices(given: Services | undefined): void {
  replacement = given;
  if (given === undefined) [connected, current] = [undefined, undefined];
}

/** What holds connections, caches and counters: once a process, whatever the profile. */
function connectAll(settings: Config) {
  const { db, actingAs } = connect(settings.DATABASE_URL, { max: settings.DATABASE_CONNECTIONS });
  const inForce = inForceOf(settings);
  const sandboxMessages = messageStore(db);
  const [events, tpps] = [eventLog(db), seenTpps(db)];
  const status = revocationBy(settings, { events, tpps });
  const movable = settings.SANDBOX ? sandboxClock(db) : undefined;
  const { signInThrottle: hashing } = bankProfile();
  const psus = settings.PSU_LOGIN === "oidc" ? customersOfProvider : psuDirectory(db);
  const passkeys = passkeyVerifier(settings.WEB_URL);
  const ports = {
    clock: movable ?? systemClock,
    requestContexts: requestContexts(db, movable === undefined ? systemClock : undefined),
    tppRegister: tppRegister(db),
    stopList: stopList(db),
    consents: consentStore(db),
    fundsConsents: fundsConsentStore(db),
    fundsCheck: fundsCheck(db),
    payments: paymentStore(db),
    events,
    refusedRequests: refusedRequestStore(db),
    caseRecords: caseRecords(db),
    permissionRecords: permissionRecords(db),
    optOuts: optOutStore(db),
    authorisations: authorisationStore(db),
    accessBudget: accessBudget(db),
    psuDirectory: psus,
    psuAttempts: psuAttempts(db),
    signInThrottle: signInThrottle(db),
    passwordTurns: fairQueue({
      atOnce: hashing.hashesAtOnce,
      waitingMax: hashing.waitingMax,
      waitingPerCallerMax: hashing.waitingPerNetworkMax,
    }),
    psuLanguages: psuLanguages(db),
    signIns: signInStore(db),
    submissionFaults: (fault: object) =>
      log.error(fault, "the core bank could not be asked about a payment, which is tried again"),
    textBudget: reachesPhones(settings) ? textBudget(db) : unbounded,
    passkeys: passkeyStore(db),
    passkeyVerifier: settings.SANDBOX ? withFailingPasskeys(passkeys, psus) : passkeys,
  } satisfies Omit<
    Ports,
    "approvalApp" | "oneTimeCodes" | "blockNotices" | "coreBank" | "profile" | "tppAllowance"
  >;
  return {
    db,
    settings,
    ports,
    status,
    sandboxMessages,
    movable,
    inForce,
    deliver: deliveryOf(settings, sandboxMessages, psus),
    allowanceOf: lastMade((perMinute: number) => tppAllowance(db, perMinute)),
    coreBank: connectCoreBank(settings, db, movable).coreBank,
    attendedReads: attendedReads((found) => {
      attendedReadsAlike.inc();
      log.warn(found, "attended reads of a TPP name one address for most of its PSUs");
    }),
    refusals: refusalLog(ports.events, (err) => log.error({ err }, "a refusal was not recorded")),
    ofBankApi: {
      seenTpps: tpps,
      certificates: certificateLog(tpps, (err) => log.warn({ err }, "a certificate was not noted")),
      eventReader: eventReader(db),
      authenticateBankClient: authentication(settings),
      actingAs: (acting: Acting) => actingStores(actingAs(acting)),
    },
    refusedRequestLog: refusedRequestLog({
      store: ports.refusedRequests,
      explain: ({ at: now, ...refused }) => {
        const { anchors: trustAnchors } = inForce().anchorFile;
        const { stopList } = ports;
        const profile = bankProfile();
        return explainRefusal(refused, {
          trustAnchors,
          revocation: status,
          stopList,
          profile,
          now,
        });
      },
      perMinuteMax: () => bankProfile().staff.refusalsPerTppAndMinuteMax,
      onFault: (err) => log.error({ err }, "what a TPP was told was not kept"),
    }),
  };
}

/** The keys, secrets and trust anchors, read again when their files change. */
function inForceOf(settings: Config) {
  const { TOKEN_SIGNING_KEY, TRUST_ANCHORS, TRUSTED_LIST_SIGNERS, IDP_CLIENT_KEY, IDP_CA } =
    settings;
  const { STAFF_IDP_CLIENT_KEY, STAFF_IDP_CA } = settings;
  const secret = (name: SecretName) =>
    followFiles({
      what: name,
      files: [secretFileOf(settings[name])],
      read: () => readSecrets(name, settings[name]),
    });
  const parts = {
    COOKIE_SECRET: secret("COOKIE_SECRET"),
    SESSION_SECRET: secret("SESSION_SECRET"),
    CODE_SECRET: secret("CODE_SECRET"),
    signingKeys: followFiles({
      what: "TOKEN_SIGNING_KEY",
      files: [TOKEN_SIGNING_KEY],
      read: () => readSigningKeys(readFileSync(TOKEN_SIGNING_KEY, "utf8")),
    }),
    anchorFile: followFiles({
      what: "TRUST_ANCHORS, TRUSTED_LIST_SIGNERS",
      files: [TRUST_ANCHORS, TRUSTED_LIST_SIGNERS],
      // A list that was in date when the process began is read whenever it is first asked for.
      read: (isFirst) => anchorFileOf(settings, isFirst ? startOfProcess() : machineTime()),
    }),
    provider: followFiles({
      what: "IDP_CLIENT_KEY, IDP_CA",
      files: [IDP_CLIENT_KEY, IDP_CA],
      read: () => providerOf(settings),
    }),
    staffIdentity: followFiles({
      what: "STAFF_IDP_CLIENT_KEY, STAFF_IDP_CA",
      files: [STAFF_IDP_CLIENT_KEY, STAFF_IDP_CA],
      read: () => staffIdentityOf(settings),
    }),
  };
  return () => ({
    COOKIE_SECRET: parts.COOKIE_SECRET(),
    SESSION_SECRET: parts.SESSION_SECRET(),
    CODE_SECRET: parts.CODE_SECRET(),
    signingKeys: parts.signingKeys(),
    anchorFile: parts.anchorFile(),
    provider: parts.provider(),
    staffIdentity: parts.staffIdentity(),
  });
}

/** The same again for the same argument: what it has counted goes on. */
function lastMade<Argument, Made>(make: (argument: Argument) => Made) {
  let last: { readonly of: Argument; readonly made: Made } | undefined;
  return (argument: Argument): Made => {
    if (last?.of !== argument) last = { of: argument, made: make(argument) };
    return last.made;
  };
}

/** Where the sandbox has its own books and its own passwords. */
function ownBooksOf({ db, settings }: ReturnType<typeof connectAll>) {
  const { SANDBOX, CORE_BANK_URL, PSU_LOGIN } = settings;
  return SANDBOX && CORE_BANK_URL === undefined && PSU_LOGIN !== "oidc"
    ? namespaces(db)
    : undefined;
}

/** The services with one profile, and one set of keys and anchors. */
function servicesOf(connected: ReturnType<typeof connectAll>, inForce: InForce) {
  const { db, status, sandboxMessages, movable } = connected;
  const { COOKIE_SECRET, SESSION_SECRET, CODE_SECRET, signingKeys, provider } = inForce;
  const { anchors: trustAnchors, nextUpdate: trustedListUpdate } = inForce.anchorFile;
  const settings = { ...connected.settings, COOKIE_SECRET, SESSION_SECRET, CODE_SECRET };
  const staffIdentity = inForce.staffIdentity && {
    ...inForce.staffIdentity,
    config: { ...inForce.staffIdentity.config, SESSION_SECRET },
  };
  const profile = profileOf(inForce.file, settings);
  const requestsMax = settings.TPP_REQUESTS_PER_MINUTE ?? profile.tppRequestsPerMinuteMax;
  const ports: Omit<Ports, "blockNotices"> = {
    ...connected.ports,
    approvalApp: provider?.approvalApp,
    oneTimeCodes: oneTimeCodes({ secret: CODE_SECRET, deliver: connected.deliver }),
    profile,
    tppAllowance: connected.allowanceOf(requestsMax),
    coreBank: connected.coreBank(profile),
  };
  const server = authorisationServer({
    ...ports,
    refusals: connected.refusals,
    issuer: settings.XS2A_URL,
    webUrl: settings.WEB_URL,
    models: oidcModels(db),
    identifyTpp: identifiedBy({ trustAnchors, revocation: status }, ports),
    cookieSecret: COOKIE_SECRET,
    signingKeys,
  });
  const ownBooks = ownBooksOf(connected);
  const byProvider = settings.PSU_LOGIN === "oidc";
  return {
    ...ports,
    ...connected.ofBankApi,
    blockNotices: blockNotices(byProvider ? { ...ports, psuDirectory: blockedOfProvider } : ports, {
      byProvider,
      onFault: (err) => log.error({ err }, "a notice of a block could not be sent"),
    }),
    config: settings,
    tppBlocks: tppBlocks(db),
    statistics: statistics(db),
    operations: () => operationsOf(db),
    trustAnchors,
    trustedListUpdate,
    /** As tokens name them; the first one signs. */
    signingKids: signingKeys.map(({ kid }) => kid),
    revocation: status,
    refusals: connected.refusals,
    refusedRequestLog: connected.refusedRequestLog,
    attendedReads: connected.attendedReads,
    authorisationServer: server,
    interactions: server.interactions,
    accessTokens: server.accessTokens,
    psuSessions: psuSessionStore(db),
    interfaceFigures: interfaceFigures(db),
    identityProvider: provider,
    staffIdentity,
    staffSessions: staffSessionStore(db),
    /** In a sandbox that names no provider for the bank's staff. */
    findDemoOperator:
      settings.SANDBOX && staffIdentity === undefined ? findDemoOperator : undefined,
    sandboxClock: movable,
    sandboxMessages,
    namespaces: ownBooks,
    /** At a TPP with a clock of its own only its own PSUs sign in: nothing of others is dated by that clock. */
    admitsUserId: async (tppId: TppId, userId: string) =>
      movable === undefined ||
      ownBooks === undefined ||
      (await movable.aheadOf(tppId)) === 0 ||
      ownBooks.hasUserId(tppId, userId),
    sandboxNotifications: sandboxNotifications(db),
    sandboxPsu: findPsuByUserId(db),
    links: {
      aisp: `${settings.XS2A_URL}/open-banking/v3.1/aisp/v1`,
      pisp: `${settings.XS2A_URL}/open-banking/v3.1/pisp/v1`,
      cbpii: `${settings.XS2A_URL}/open-banking/v3.1/cbpii`,
      scaOAuth: `${settings.XS2A_URL}/.well-known/oauth-authorization-server`,
      errors: `${settings.WEB_URL}/docs/errors`,
    },
    cursorSecret: CODE_SECRET,
    sandbox: settings.SANDBOX,
    notifies: settings.NOTIFICATIONS_SEAL_CERT !== undefined,
    redirectUriDomainCheck:
      settings.REDIRECT_URI_DOMAIN_CHECK ?? (settings.SANDBOX ? "warn" : "strict"),
  } as const;
}

/** For what is done in the name of one person or system of the bank. */
function actingStores(db: Database) {
  return {
    authorisations: authorisationStore(db),
    consents: consentStore(db),
    fundsConsents: fundsConsentStore(db),
    stopList: stopList(db),
    optOuts: optOutStore(db),
    psuAttempts: psuAttempts(db),
    events: eventLog(db),
  } as const;
}

function profileOf(
  file: AspspProfile,
  { PSU_SCA: means, IDP_AUTHORIZATION_DETAILS }: Config,
): AspspProfile {
  const approvedDetailsReturned = IDP_AUTHORIZATION_DETAILS !== undefined;
  return { ...file, sca: { ...file.sca, means, approvedDetailsReturned } };
}

/** The bank's identity provider, where one is set. */
function providerOf({ IDP_ISSUER, IDP_CLIENT_ID, ...settings }: Config) {
  if (IDP_ISSUER === undefined || IDP_CLIENT_ID === undefined) return undefined;
  return identityProvider({ ...settings, IDP_ISSUER, IDP_CLIENT_ID }, (fault) => {
    providerFaults.inc({ operation: fault.operation });
    log.error(fault, "the identity provider has not answered as it should");
  });
}

/** The provider of the bank's staff, with the settings that its rounds are made with. */
function staffIdentityOf(settings: Config) {
  const config = withStaffProvider(settings);
  const identityProvider = config && providerOf(config);
  return identityProvider && { config, identityProvider };
}

/** Customers whom the identity provider knows by name and password: here by their id alone. */
const customersOfProvider: Ports["psuDirectory"] = {
  verifyPassword: async () => undefined,
  findByUserId: async () => undefined,
  find: async (id) => ({ id, userId: id, name: id }),
};

/** Nobody is blocked whom the provider has not named: the user ID is the customer's id. */
const blockedOfProvider: Pick<Ports["psuDirectory"], "findByUserId"> = {
  findByUserId: (userId) => customersOfProvider.find(userId as PsuId),
};

function anchorFileOf(
  { TRUST_ANCHORS, TRUSTED_LIST_SIGNERS: signers }: Config,
  now: Date,
): AnchorFile {
  const text = readFileSync(TRUST_ANCHORS, "utf8");
  const listSignersPem = signers === undefined ? undefined : readFileSync(signers, "utf8");
  return readAnchorFile({ text, listSignersPem, now });
}

/** The sandbox's phone page needs no budget, and developers request codes by the hundred. An app is asked all the same. */
function reachesPhones({ SANDBOX, SMS_GATEWAY_URL, PSU_SCA }: Config): boolean {
  return !SANDBOX || SMS_GATEWAY_URL !== undefined || PSU_SCA.includes("ciba");
}

const unbounded: Ports["textBudget"] = { take: async () => true };

/** In the sandbox the phone is a page of our own, unless a gateway is named; a bank has one. */
function deliveryOf(
  settings: Config,
  phone: ReturnType<typeof messageStore>,
  psus: Pick<Ports["psuDirectory"], "find">,
) {
  const { SANDBOX, SMS_GATEWAY_URL: url, SMS_GATEWAY_TOKEN: token } = settings;
  if (url !== undefined) {
    return smsGateway({
      url,
      token,
      millisecondsMax: SMS_MILLISECONDS_MAX,
      onFault: (fault) => log.error(fault, "the SMS gateway has not taken a text message"),
    });
  }
  // Outside the sandbox it is demanded for codes and passkeys; without them there is nobody to text.
  if (!SANDBOX) return async () => false;
  return async (message: Parameters<typeof phone.keep>[0]) => {
    await phone.keep(asDelivered(message, await psus.find(message.psuId)));
    return true;
  };
}

type Checking = { readonly trustAnchors: TrustAnchors; readonly revocation: Revocation };

function identifiedBy(checking: Checking, ports: Pick<Ports, "stopList" | "tppAllowance">) {
  return async (clientCert: string | undefined, now: Date) => {
    const { tpp, certificate } = await checkTokenClient(clientCert, checking, now);
    await admitTpp(ports, tpp.id, now);
    await checkNotBlocked(ports, tpp.id, now);
    return { tpp, certificate: certificate.x509 };
  };
}

/** Whether issuers have revoked their certificates, asked where the certificates say. */
function revocationBy(
  { REVOCATION, REVOCATION_ORIGINS, ...config }: Config,
  { events, tpps }: { readonly events: EventLog; readonly tpps: SeenTpps },
): Revocation {
  const { SANDBOX, TRUST_ANCHORS, WEB_URL } = config;
  const fetch = guardedFetch({
    // Several sandbox servers have one CA, and the first of them answers for it.
    allowedOrigins: SANDBOX ? [...REVOCATION_ORIGINS, new URL(WEB_URL).origin] : REVOCATION_ORIGINS,
    millisecondsMax: STATUS_MILLISECONDS_MAX,
  });
  const asking = revocation({
    mode: REVOCATION,
    fetch: timed("certificate-issuer", fetch),
    onFault: (fault) => {
      statusFaults.inc();
      log.warn(fault, "an issuer could not be asked about a certificate");
    },
    onUnknownAccepted: unknownStatusLog(events, (err) =>
      log.error({ err }, "a certificate of unknown status was not recorded"),
    ),
  });
  const own = SANDBOX && REVOCATION !== "off";
  // Beside the anchors lies what the sandbox's CA has revoked, also where another server made it.
  const status = own ? withOwnAuthority(asking, dirname(TRUST_ANCHORS)) : asking;
  return noticingRevoked(status, async (certificate, now) => {
    try {
      // Checked before its status was asked for.
      const tppId = certificate.organizationIdentifier as TppId;
      await tpps.endRoles(tppId, certificateName(certificate), now);
    } catch (err) {
      log.error({ err }, "the roles of a revoked certificate still count");
      throw err;
    }
  });
}
