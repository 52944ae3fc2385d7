import { forProject, readContext } from "@/app/api/v1/reads";

export const GET = readContext(forProject);
