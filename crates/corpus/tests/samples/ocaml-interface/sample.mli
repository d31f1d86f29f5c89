(** Queues of letters waiting for the postman. *)

open Base
open! Import
include Comparable.S with type t := string
include module type of List
include Printable

(** A letter and where it goes.
    Stamps are counted when it is posted. *)
type 'a letter = private {
  address : Address.t; (** street and town *)
  mutable stamps : int;
  body : 'a
  (** what is inside *)
}

and pile = string letter list

(** Why a letter comes back. *)
type refusal =
  | Unknown (** nobody by that name *)
  | Moved of { since : float }
  | Too_heavy : int -> refusal

type event = ..
type event += Posted of string
type weight = [ `Light | `Heavy of int ]
type ('key, 'value) table

exception Strike of string

(** Sends everything off.

    Keeps the order. *)
val post : ?urgent:bool -> 'a letter list -> (unit, refusal) result

(** Letters nobody wants. *)
val dead : pile

val map : 'a 'b. f:('a -> 'b) -> 'a letter -> 'b letter
[@@deprecated "use fold"]

val ( >|> ) : pile -> pile -> pile

external weigh : 'a letter -> (float[@unboxed]) = "post_weigh" "post_weigh_fast"
[@@noalloc]

(* What a sorting office can do. *)
module type OFFICE = sig
  type bag
  val sort : pile -> bag list
  val opening_hour : int
end

(** Routes between offices. *)
module Route : sig
  type t = Van | Bicycle

  (** How long it takes. *)
  val hours : t -> int
end

module Make (From : OFFICE) (To : OFFICE with type bag = From.bag) : Printable
module R = Route
module rec Left : OFFICE and Right : OFFICE

(** One who walks. *)
class virtual ['a] postman : string -> object
  inherit walker
  val mutable bag : 'a list
  (** Rings twice. *)
  method ring : int -> unit
  method virtual name : string
end

class dog : object method bark : unit end

class type walker = object
  method step : unit
end

[@@@ocaml.text "The end."]
