import type { TestDatabase } from "./testing";

/** Consents whose rows do not fit together, and PSUs with two valid recurring consents at a TPP. */
export async function contradictions({
  sql,
}: Pick<TestDatabase, "sql">): Promise<readonly unknown[]> {
  return sql`
    select c.id::text from account_consent c join authorisation a on a.id = c.authorisation_id
    where (c.status = 'received') <> (a.sca_status not in ('finalised', 'failed'))
       or (c.status = 'valid' and a.sca_status <> 'finalised')
       or (c.status = 'rejected' and a.sca_status <> 'failed')
       or (c.psu_id is not null) <> (a.sca_status = 'finalised')
       or (c.psu_id is not null) <> exists (select from account_grant g where g.consent_id = c.id)
       or (c.status not in ('received', 'valid') and exists
            (select from oidc_payload p where p.account_id = a.id::text))
    union all
    select c.tpp_id || c.psu_id from account_consent c
    where c.recurring_indicator and c.status = 'valid' group by c.tpp_id, c.psu_id having count(*) > 1`;
}
