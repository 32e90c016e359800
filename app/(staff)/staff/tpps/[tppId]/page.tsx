import { ButtonLink } from "@/components/button";
import { DataTable } from "@/components/data-table";
import { ReflowingCell, ReflowingRow, ReflowingTable } from "@/components/table";
import { Links, Part, Term, Terms } from "@/components/text";
import { mayDo } from "@/lib/domain/staff";
import { loadStaffPage, type StaffFrame } from "@/lib/staff/page-loaders";
import { staffTppPath } from "@/lib/staff/paths";
import { type PageProps, tableQuery } from "@/lib/staff/table";
import { type TppView, tppIdOf, tppView } from "@/lib/staff/tpps";
import { StaffPage, staffPage } from "../../../staff-page";
import { RequestTable } from "../../blocks/requests";

export const dynamic = "force-dynamic";

export default async function TppPage({ params, searchParams }: PageProps) {
  const { tppId: part = "none" } = await params;
  const query = tableQuery(await searchParams);
  const path = staffTppPath(tppIdOf(part) ?? "none");
  const load = (visit: StaffFrame["visit"]) => tppView(visit, part);
  const loading = loadStaffPage({ action: "see-tpps", path, load });
  return staffPage(loading, (frame, view) => {
    const { tpps: words, table } = frame.texts;
    return (
      <StaffPage frame={frame} heading={view.tpp?.name ?? view.tppId}>
        <TppTerms frame={frame} view={view} />
        <Part id="requests" heading={words.requests}>
          <RequestTable frame={frame} rows={view.requests} labelledBy="requests" />
          {mayDo(frame.visit.operator.roles, "request-block") && (
            <Links>
              <ButtonLink href={`${path}/request`}>
                {words.request.begin[view.block === undefined ? "block" : "unblock"]}
              </ButtonLink>
            </Links>
          )}
        </Part>
        <Certificates frame={frame} view={view} />
        <Consents frame={frame} view={view} />
        <Part id="traffic" heading={words.traffic}>
          <DataTable
            texts={table}
            labelledBy="traffic"
            {...view.traffic}
            keyOf={({ day, what, value, part: of }) => [day, what, value, of].join()}
            query={query}
            path={path}
            csvPath={`${path}/traffic.csv`}
          />
        </Part>
      </StaffPage>
    );
  });
}

type Props = { readonly frame: StaffFrame; readonly view: TppView };

function TppTerms({ frame, view: { tppId, tpp, block, affected } }: Props) {
  const { texts, visit } = frame;
  const { columns, roles, notBlocked, blockedUntil, ...words } = texts.tpps;
  const { timeZone } = visit.services.profile;
  const end = block?.until && texts.instant(block.until, timeZone);
  return (
    <Terms>
      <Term label={columns.id}>{tppId}</Term>
      {tpp === undefined ? (
        <Term label={columns.name}>{words.unknown}</Term>
      ) : (
        <>
          <Term label={columns.authority}>
            <bdi>{`${tpp.authorityName} (${tpp.authorityId})`}</bdi>
          </Term>
          <Term label={columns.roles}>{tpp.roles.map((role) => roles[role]).join(", ")}</Term>
        </>
      )}
      <Term label={columns.blocked}>
        <strong>{block === undefined ? notBlocked : blockedUntil(end)}</strong>
      </Term>
      <Term label={words.inForce}>{words.affected(affected.permissions, affected.psus)}</Term>
    </Terms>
  );
}

function Certificates({ frame, view: { certificates } }: Props) {
  const { tpps: words, instant } = frame.texts;
  const { kind, serial, issuer, first, end } = words.certificateColumns;
  const { timeZone } = frame.visit.services.profile;
  if (certificates.length === 0) return null;
  return (
    <Part id="certificates" heading={words.certificates}>
      <ReflowingTable labelledBy="certificates" columns={[kind, serial, issuer, first, end]}>
        {certificates.map((one) => (
          <ReflowingRow key={one.thumbprint}>
            <ReflowingCell label={kind}>{one.kind}</ReflowingCell>
            <ReflowingCell label={serial}>{one.serialNumber}</ReflowingCell>
            <ReflowingCell label={issuer}>
              <bdi>{one.issuer}</bdi>
            </ReflowingCell>
            <ReflowingCell label={first}>{instant(one.firstSeenAt, timeZone)}</ReflowingCell>
            <ReflowingCell label={end}>{instant(one.notAfter, timeZone)}</ReflowingCell>
          </ReflowingRow>
        ))}
      </ReflowingTable>
    </Part>
  );
}

function Consents({ frame, view: { consents } }: Props) {
  const { tpps: words, permissionKinds } = frame.texts;
  const { kind, status, count } = words.consentColumns;
  if (consents.length === 0) return null;
  return (
    <Part id="consents" heading={words.consents}>
      <ReflowingTable labelledBy="consents" columns={[kind, status, count]}>
        {consents.map((one) => (
          <ReflowingRow key={`${one.kind} ${one.status}`}>
            <ReflowingCell label={kind}>{permissionKinds[one.kind]}</ReflowingCell>
            <ReflowingCell label={status}>{one.status}</ReflowingCell>
            <ReflowingCell label={count}>{one.count}</ReflowingCell>
          </ReflowingRow>
        ))}
      </ReflowingTable>
    </Part>
  );
}
