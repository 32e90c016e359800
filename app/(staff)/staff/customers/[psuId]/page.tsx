import { TablePart } from "@/components/data-table";
import { Part, Term, Terms } from "@/components/text";
import { resourceOf } from "@/lib/domain/opt-outs";
import { mayDo } from "@/lib/domain/staff";
import { type CustomerView, customerView } from "@/lib/staff/customers";
import type { StaffFrame } from "@/lib/staff/page-loaders";
import { customerPath, decodedPart } from "@/lib/staff/paths";
import type { PageProps } from "@/lib/staff/table";
import { ReasonForm, StaffPage, staffPage } from "../../../staff-page";

export default async function CustomerPage({ params, searchParams }: PageProps) {
  const { psuId } = await params;
  const asked = await searchParams;
  const path = customerPath(decodedPart(psuId));
  const load = (visit: StaffFrame["visit"]) => customerView(visit, psuId);
  return staffPage({ action: "see-customer", path, load }, (frame, view) => {
    const { texts } = frame;
    const words = texts.cases.customer;
    return (
      <StaffPage frame={frame} heading={words.heading}>
        <Person frame={frame} view={view} />
        <Part id="opt-outs" heading={words.optOuts}>
          {view.moreOptOuts && <p>{texts.table.only.newest(view.optOuts.length)}</p>}
          {view.optOuts.length === 0 ? (
            <p>{words.noOptOuts}</p>
          ) : (
            <ul>
              {view.optOuts.map(({ position, kind, tppId = words.anyTpp, tppName = tppId }) => (
                <li key={position}>{words.optOut(texts.cases.kinds[resourceOf[kind]], tppName)}</li>
              ))}
            </ul>
          )}
        </Part>
        <TablePart
          {...{ frame, asked, id: "permissions", heading: words.permissions }}
          table={view.permissions}
          file={`permissions/${encodeURIComponent(view.psuId)}`}
        />
      </StaffPage>
    );
  });
}

function Person({ frame, view }: { readonly frame: StaffFrame; readonly view: CustomerView }) {
  const { customer: words } = frame.texts.cases;
  const { psuId, psu, block, unlockToken } = view;
  const mayUnlock = block !== "none" && mayDo(frame.visit.operator.roles, "unlock-customer");
  return (
    <>
      <Terms>
        <Term label={words.id}>{psuId}</Term>
        {psu !== undefined && (
          <>
            <Term label={words.name}>{psu.name}</Term>
            <Term label={words.userId}>{psu.userId}</Term>
            <Term label={words.signIn}>{words.block[block]}</Term>
          </>
        )}
      </Terms>
      {mayUnlock && (
        <ReasonForm
          frame={frame}
          action={`${customerPath(psuId)}/unlock`}
          token={unlockToken}
          submit={words.unlock}
        />
      )}
    </>
  );
}
