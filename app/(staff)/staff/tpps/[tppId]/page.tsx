import { ButtonLink } from "@/components/button";
import { TablePart } from "@/components/data-table";
import { Links, Term, Terms } from "@/components/text";
import { mayDo } from "@/lib/domain/staff";
import type { StaffFrame } from "@/lib/staff/page-loaders";
import { tppPath } from "@/lib/staff/paths";
import type { PageProps } from "@/lib/staff/table";
import { type TppView, tppIdOf, tppView } from "@/lib/staff/tpps";
import { StaffPage, staffPage } from "../../../staff-page";

export default async function TppPage({ params, searchParams }: PageProps) {
  const { tppId: part = "none" } = await params;
  const asked = await searchParams;
  const path = tppPath(tppIdOf(part) ?? "none");
  const load = (visit: StaffFrame["visit"]) => tppView(visit, part);
  return staffPage({ action: "see-tpps", path, load }, (frame, view) => {
    const { tpps: words } = frame.texts;
    const shared = (name: "requests" | "certificates" | "consents" | "traffic") => ({
      ...{ frame, asked, id: name, heading: words[name] },
      file: `${name}/${encodeURIComponent(view.tppId)}`,
    });
    return (
      <StaffPage frame={frame} heading={view.tpp?.name ?? view.tppId}>
        <TppTerms frame={frame} view={view} />
        <TablePart {...shared("requests")} table={view.requests}>
          {mayDo(frame.visit.operator.roles, "request-block") && (
            <Links>
              <ButtonLink href={`${path}/request`}>
                {words.request.begin[view.block === undefined ? "block" : "unblock"]}
              </ButtonLink>
            </Links>
          )}
        </TablePart>
        <TablePart {...shared("certificates")} table={view.certificates} />
        <TablePart {...shared("consents")} table={view.consents} />
        <TablePart {...shared("traffic")} table={view.traffic} />
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
