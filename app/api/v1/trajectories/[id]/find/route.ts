import { readFind } from "@/app/api/v1/find";
import { forProject } from "@/app/api/v1/reads";

export const GET = readFind(forProject);
