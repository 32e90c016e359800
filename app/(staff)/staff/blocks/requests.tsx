import { ReflowingCell, ReflowingRow, ReflowingTable } from "@/components/table";
import { Unseen } from "@/components/text";
import type { TppBlockRequest } from "@/lib/domain/tpp-blocks";
import type { StaffFrame } from "@/lib/staff/page-loaders";
import { blockPath } from "@/lib/staff/paths";
import type { Column } from "@/lib/staff/table";
import { requestColumns } from "@/lib/staff/tpps";

type Props = {
  readonly frame: StaffFrame;
  readonly rows: readonly TppBlockRequest[];
  readonly labelledBy: string;
};

/** The columns of requests, of which the first leads to the request. */
export function linkedRequestColumns({ texts, visit }: StaffFrame) {
  const [at, ...others] = requestColumns(texts, visit.services.profile.timeZone);
  if (at === undefined) return others;
  const linked: Column<TppBlockRequest> = {
    ...at,
    cell: (request) => (
      <a href={blockPath(request.id)}>
        {at.text(request)}
        <Unseen>: {texts.tpps.details}</Unseen>
      </a>
    ),
  };
  return [linked, ...others];
}

export function RequestTable({ frame, rows, labelledBy }: Props) {
  if (rows.length === 0) return <p>{frame.texts.tpps.noRequests}</p>;
  const columns = linkedRequestColumns(frame);
  return (
    <ReflowingTable labelledBy={labelledBy} columns={columns.map(({ label }) => label)}>
      {rows.map((row) => (
        <ReflowingRow key={row.id}>
          {columns.map(({ key, label, text, cell }) => (
            <ReflowingCell key={key} label={label}>
              {cell === undefined ? <bdi>{text(row)}</bdi> : cell(row)}
            </ReflowingCell>
          ))}
        </ReflowingRow>
      ))}
    </ReflowingTable>
  );
}
