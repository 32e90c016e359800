import { Actions, Button } from "@/components/button";
import { DataTable } from "@/components/data-table";
import { PostForm, TextField } from "@/components/form";
import { Part, Term, Terms } from "@/components/text";
import { mayDo } from "@/lib/domain/staff";
import { type CustomerView, customerView } from "@/lib/staff/customers";
import { loadStaffPage, type StaffFrame } from "@/lib/staff/page-loaders";
import { customerPath } from "@/lib/staff/paths";
import { tableQuery } from "@/lib/staff/table";
import { permissionColumns } from "../../../case-tables";
import { StaffPage, staffPage } from "../../../staff-page";

export const dynamic = "force-dynamic";

type Props = {
  readonly params: Promise<{ readonly psuId: string }>;
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
};

export default async function CustomerPage({ params, searchParams }: Props) {
  const psuId = decodeURIComponent((await params).psuId);
  const query = tableQuery(await searchParams);
  const path = customerPath(psuId);
  const load = (visit: StaffFrame["visit"]) => customerView(visit, psuId);
  const loading = loadStaffPage({ action: "see-customer", path, load });
  return staffPage(loading, (frame, view) => {
    const { texts, visit } = frame;
    const words = texts.cases.customer;
    const { timeZone } = visit.services.profile;
    return (
      <StaffPage frame={frame} heading={words.heading}>
        <Person frame={frame} view={view} />
        <Part id="opt-outs" heading={words.optOuts}>
          {view.optOuts.length === 0 ? (
            <p>{words.noOptOuts}</p>
          ) : (
            <ul>
              {view.optOuts.map(({ position, kind, tppId = words.anyTpp, tppName = tppId }) => (
                <li key={position}>{words.optOut(texts.cases.refusable[kind], tppName)}</li>
              ))}
            </ul>
          )}
        </Part>
        <Part id="permissions" heading={words.permissions}>
          {view.more && <p>{words.more(view.permissions.length)}</p>}
          <DataTable
            texts={texts.table}
            labelledBy="permissions"
            columns={permissionColumns({ texts, timeZone })}
            rows={view.permissions}
            keyOf={(one) => `${one.kind} ${"consent" in one ? one.consent.id : one.payment.id}`}
            query={query}
            path={path}
            csvPath={`${path}/permissions.csv`}
          />
        </Part>
      </StaffPage>
    );
  });
}

/** Who it is, and whether they can sign in. */
function Person({ frame, view }: { readonly frame: StaffFrame; readonly view: CustomerView }) {
  const { customer: words, timeline } = frame.texts.cases;
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
        <PostForm action={`${customerPath(psuId)}/unlock`} token={unlockToken}>
          <TextField
            id="reason"
            label={timeline.reason}
            hint={timeline.reasonHint}
            fault={undefined}
            input={{ name: "reason", maxLength: 200, required: true }}
          />
          <Actions>
            <Button>{words.unlock}</Button>
          </Actions>
        </PostForm>
      )}
    </>
  );
}
