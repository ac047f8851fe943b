-- A second client of the language server: Neovim's own, which takes pushed diagnostics and has none of the extension's commands.
-- Prints a line per check; an error ends Neovim with exit code 1. Environment: LANEWISE_FILE, LANEWISE_SERVER, LANEWISE_NODE.
local file, server, node = vim.env.LANEWISE_FILE, vim.env.LANEWISE_SERVER, vim.env.LANEWISE_NODE

local function say(text)
  io.stdout:write(text .. "\n")
end

local function wait(what, condition, milliseconds)
  assert(vim.wait(milliseconds or 60000, condition, 20), "waited in vain for " .. what)
end

local function check()
  local messages, exited = {}, nil
  vim.cmd("edit " .. vim.fn.fnameescape(file))
  vim.bo.filetype = "cuda"
  local id = vim.lsp.start_client({
    name = "lanewise",
    cmd = { node, server, "lsp" },
    root_dir = vim.fn.fnamemodify(file, ":h"),
    get_language_id = function() return "cuda-cpp" end,
    on_exit = function(code) exited = code end,
    handlers = {
      ["window/showMessage"] = function(_, params) table.insert(messages, params.message) end,
      ["window/logMessage"] = function(_, params) table.insert(messages, params.message) end,
    },
  })
  assert(id, "the client does not start")
  wait("initialize", function()
    local client = vim.lsp.get_client_by_id(id)
    return client and client.initialized
  end)
  vim.lsp.buf_attach_client(0, id)

  wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
  local line
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    say(("diagnostic %d %s %s"):format(diagnostic.lnum + 1, diagnostic.source, diagnostic.code))
    if diagnostic.code == "divergent-branch" then line = diagnostic.lnum end
  end
  assert(line, "no divergent branch found")

  local function request(method, params)
    for _, response in pairs(vim.lsp.buf_request_sync(0, method, params, 120000) or {}) do
      if response.error then error(method .. ": " .. response.error.message) end
      return response.result
    end
  end
  local document = vim.lsp.util.make_text_document_params()
  for _, lens in ipairs(request("textDocument/codeLens", { textDocument = document })) do
    say(("lens %d %s"):format(lens.range.start.line + 1, lens.command.title))
  end
  local hover = request("textDocument/hover", { textDocument = document, position = { line = line, character = 9 } })
  say("hover " .. hover.contents.kind .. " " .. (hover.contents.value:find("data:image") and "picture" or "words"))

  local outcome = request("workspace/executeCommand", { command = "lanewise.run", arguments = { document.uri } })
  say("run " .. outcome.kind)
  wait("the program's output", function() return table.concat(messages, "\n"):find("first 41, second 88", 1, true) end)
  wait("the counters", function() return table.concat(messages, "\n"):find("spread(const int *, int *)", 1, true) end)
  say("output seen")

  local range = { start = { line = 0, character = 0 }, ["end"] = { line = 1000, character = 0 } }
  for _, hint in ipairs(request("textDocument/inlayHint", { textDocument = document, range = range })) do
    say(("hint %d %s"):format(hint.position.line + 1, hint.label))
  end
  local offered = vim.lsp.get_client_by_id(id).server_capabilities.executeCommandProvider
    or vim.lsp.get_client_by_id(id).server_capabilities.execute_command
  for _, lens in ipairs(request("textDocument/codeLens", { textDocument = document })) do
    local known = vim.tbl_contains(offered.commands, lens.command.command)
    assert(known, "the server does not have " .. lens.command.command)
    if lens.command.title:find("1 launch of 1", 1, true) then
      messages = {}
      request("workspace/executeCommand", { command = lens.command.command, arguments = lens.command.arguments })
      wait("the table", function() return table.concat(messages, "\n"):find("spread(const int *, int *)", 1, true) end)
      say("table from the lens")
    end
  end

  vim.api.nvim_buf_set_lines(0, line, line + 1, false, { "  if (threadIdx.x / 32 % 2 == 0) {" })
  wait("the finding to go", function()
    for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
      if diagnostic.code == "divergent-branch" then return false end
    end
    return true
  end)
  say("finding gone after the edit")

  -- Another program: a fix is offered, applied by the client, and takes the finding with it.
  local function open(name)
    vim.cmd("edit! " .. vim.fn.fnameescape(vim.fn.fnamemodify(file, ":h") .. "/" .. name))
    vim.bo.filetype = "cuda"
    vim.lsp.buf_attach_client(0, id)
    return vim.lsp.util.make_text_document_params()
  end
  local function coded(code)
    for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
      if diagnostic.code == code then return diagnostic end
    end
  end

  document = open("tiles.cu")
  wait("bank conflicts", function() return coded("bank-conflict") end)
  local conflict = coded("bank-conflict")
  local at = { line = conflict.lnum, character = conflict.col }
  local actions = request("textDocument/codeAction", {
    textDocument = document,
    range = { start = at, ["end"] = at },
    context = { diagnostics = { conflict.user_data.lsp } },
  })
  for _, action in ipairs(actions) do
    say(("action %s %s"):format(action.kind, action.title))
    if action.title:find("^Pad") then vim.lsp.util.apply_workspace_edit(action.edit, "utf-16") end
  end
  wait("the finding to go", function() return not coded("bank-conflict") end)
  say("fixed by the action")

  document = open("racing.cu")
  request("workspace/executeCommand", { command = "lanewise.run", arguments = { document.uri } })
  wait("the race", function() return coded("race") end)
  local race = coded("race")
  say(("race at line %d: %s"):format(race.lnum + 1, race.message))
  for _, other in ipairs(race.user_data.lsp.relatedInformation) do
    say(("race with line %d: %s"):format(other.location.range.start.line + 1, other.message))
  end
  local picture = request("textDocument/hover", { textDocument = document, position = { line = race.lnum, character = race.col } })
  say("race hover " .. (picture.contents.value:find("either may come first", 1, true) and "says that nothing orders the two" or "?"))

  vim.lsp.stop_client(id)
  wait("the server's end", function() return exited ~= nil end)
  say("server exit code " .. exited)
end

local ok, problem = pcall(check)
if not ok then
  say("ERROR " .. tostring(problem))
  vim.cmd("cquit! 1")
end
vim.cmd("qall!")
