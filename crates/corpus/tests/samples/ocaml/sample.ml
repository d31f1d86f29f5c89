(* A small ledger. *)
open Printf
open! Core.Container
include Comparable.Make (Account)
module L = List

(** Money in cents. *)
type cents = int [@@deriving show, eq]

type 'a entry = {
  label : string; (** what it was for *)
  mutable amount : cents;
  extra : 'a option
  (** whatever else is known *)
}

and 'a page = 'a entry list

type kind =
  | Income (** comes in *)
  | Expense of { reason : string; at : float }
  | Transfer of Account.t * cents

type event = ..
type event += Opened of string
type flag = [ `Paid | `Due of int ]

exception Overdrawn of cents

module type STORE = sig
  type t
  val limit : int
  val load : string -> (t, exn) result
end

(** Ledgers kept in any store. *)
module Make (S : STORE) : sig val total : S.t -> cents end = struct
  external now : unit -> float = "ledger_now"

  (** Adds up a page.
      Negative amounts count too. *)
  let rec sum ?(start = 0) (page : 'a page) : cents =
    match page with
    | [] -> start
    | { amount; _ } :: rest -> skip rest + sum ~start:amount rest

  and skip = function [] -> 0 | page -> L.length page

  let total store = store |> S.entries |> sum
end

let empty = []
let low, high = (0, S.limit)

(** Joins two pages. *)
let ( +++ ) a b = a @ b

let ( let* ) opt f = Option.bind opt f

let parse : string -> kind option = fun text ->
  let helper s = String.trim s in
  let* word = lookup (helper text) in
  Some (Expense { reason = word; at = 0. })

[@@@warning "-32"]

class virtual ['a] book (start : 'a page) = object (self)
  inherit base_book
  val mutable pages = [ start ]
  (** Puts a page at the end. *)
  method add page = pages <- page :: pages
  method virtual title : string
  method private count = self#add empty; L.length pages
end

class type printable = object
  method print : out_channel -> unit
end

let%expect_test "an empty page sums to zero" =
  printf "%d" (sum [] +++ new book []);
  [%expect {| 0 |}]

module rec Even : STORE = struct let limit = 0 end
and Odd : STORE = Even

let () = exit @@ run Sys.argv >>= report
