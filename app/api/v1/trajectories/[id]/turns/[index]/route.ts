import { forProject, readTurn } from "@/app/api/v1/reads";

export const GET = readTurn(forProject);
