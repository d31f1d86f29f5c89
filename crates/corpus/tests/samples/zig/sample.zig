//! Weather stations and what they measure.

const std = @import("std");
const c = @cImport({
    @cInclude("time.h");
});
pub const units = @import("units.zig");
const Allocator = std.mem.Allocator;
usingnamespace @import("compat.zig");

/// The most readings kept.
pub const max_readings: usize = 64;
pub var verbose = false;
threadlocal var depth: u8 align(4) = 0;
extern "c" var environ: [*:null]?[*:0]u8;

/// What can go wrong.
pub const StationError = error{
    /// No answer came.
    Silent,
    Broken,
} || Allocator.Error;

/// The kind of a reading.
pub const Kind = enum(u8) {
    heat = 1,
    /// Of rain.
    rain,
    _,

    pub fn label(self: Kind) []const u8 { return @tagName(self); }
};

const Value = union(enum) {
    number: f64,
    text: []const u8,
    none,
};
const Bits = extern union { whole: u32, parts: [4]u8 };
pub const Handle = opaque {
    pub extern fn close(h: *Handle) void;
};

/// One station.
pub const Station = struct {
    const Self = @This();
    pub const default_name = "home";

    /// Where it stands.
    place: units.Place = .{},
    readings: std.ArrayList(Reading),
    allocator: Allocator,
    state: struct { open: bool } = .{ .open = true },

    pub const Reading = packed struct {
        kind: Kind,
        value: ?*const Value,
    };

    /// Makes a station.
    /// The caller owns it.
    pub fn init(allocator: Allocator, comptime T: type, rest: anytype) !Self {
        const local = 1;
        const list = try std.ArrayList(Reading).initCapacity(allocator, local);
        return Self{ .readings = list, .allocator = allocator };
    }
    inline fn read(self: *Self, map: *std.StringHashMap(T)) (error{Closed} || StationError)!?Reading {
        defer self.lock.unlock();
        var reader = Reader{ .inner = map };
        return switch (self.poll() catch |err| return err) { .ok => reader.take(), else => null };
    }
};

/// A ring of anything.
pub fn Ring(comptime T: type) type {
    return struct {
        items: [8]T,
        /// Adds one.
        pub fn push(self: *@This(), item: T) void {
            self.items[0] = item;
        }
    };
}

export fn @"odd name"(x: c_int) callconv(.C) c_int { return x; }
pub extern "c" fn getenv(name: [*:0]const u8) ?[*:0]u8;

test "stations answer" { try std.testing.expect(true); }
test Ring { _ = Ring(u8); }
comptime { _ = Station; }
