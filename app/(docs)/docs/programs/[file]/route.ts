import { programs, readProgram } from "@/lib/guides";
import { services } from "@/lib/services";

type Context = { readonly params: Promise<{ readonly file: string }> };

/** A program of the guides, whole, with this bank's addresses. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { file } = await params;
  if (!Object.hasOwn(programs, file)) return new Response(null, { status: 404 });
  return new Response(readProgram(file as keyof typeof programs, services()), {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": `attachment; filename="${file}"`,
    },
  });
}
