import { csvOf, publishedQuarter } from "@/lib/published-statistics";
import { services } from "@/lib/services";

type Context = { readonly params: Promise<{ readonly file: string }> };

/** `2026Q4.csv` and `2026Q4.json`. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { name, type } =
    /^(?<name>\w+)\.(?<type>csv|json)$/.exec((await params).file)?.groups ?? {};
  const published = name === undefined ? undefined : await publishedQuarter(services(), name);
  if (published === undefined) return new Response("No such quarter\n", { status: 404 });
  if (type === "json") return Response.json(published);
  const headers = {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="statistics-${name}.csv"`,
  };
  return new Response(csvOf(published), { headers });
}
