#!/usr/bin/env lua
--- Keeps score of a game.
-- @module score

local json = require("cjson")
local Class = require 'middleclass'
local insert, remove = table.insert, table.remove
local ok, bit = pcall(require, "bit")
dofile("config.lua")

--- The most points one may have.
local MAX_POINTS <const> = 100
DEBUG = os.getenv("DEBUG")
first, second = 1, 2

---@class Score
---@field total number
local Score = {}
Score.__index = Score
Score.VERSION = "1.2"

--[[
  Makes a score for a player.
]]
---@param name string
---@return Score
function Score.new(name, ...)
  -- Comments are no part of the signature.
  local self = setmetatable({}, Score)
  self.name = name
  self.rounds = {}
  return self
end

--- Adds points.
function Score:add(points)
  local function clamp(value)
    return math.min(value, MAX_POINTS)
  end
  self.total = clamp(points)
  table.insert(self.rounds, points)
  Score.on_change(self):notify "changed"
end

-- Called on every change.
Score.on_change = function(score, callback)
  return callback(score)
end

function Score.__tostring(self) return self.name .. "!" end
function Score.board.show() end

--- Sorts two scores.
local function compare(a, b)
  return a.total > b.total
end

local reset = function() end
local add_all, sub_all = function(x) return x end, nil

function main()
  for _, line in ipairs(json.decode(io.read("*a"))) do
    Score.new(line):add(#line)
  end
  goto done
  ::done::
end

Score["odd key"] = function() end

local M = {
  -- Width of the board.
  width = 80,
  theme = { color = "red", draw = function(self) return self.color end },
  ["quoted"] = 1,
  resize = function(self, by)
    self.width = self.width + by
  end,
  compare,
}

describe("score", function()
  it("adds points", function() assert.equal(1, Score.new("a").total) end)
end)

return {
  setup = function(options) M.options = options end,
  Score = Score,
}
